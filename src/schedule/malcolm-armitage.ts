import type { PageView, Policy } from '../model/index.js'
import { malcolmArmitage1 } from './malcolm-armitage-1.js'
import { malcolmArmitage2 } from './malcolm-armitage-2.js'

/**
 * Listing 1 where the content age is known, Listing 2 elsewhere, both without
 * the stop rule: a page that is followed goes on being followed.
 */
export function malcolmArmitage(): Policy {
  const told = malcolmArmitage1({ maxChanges: Infinity })
  const untold = malcolmArmitage2({ maxChanges: Infinity })
  const listing = (view: PageView) => (Number.isNaN(view.contentAge) ? untold : told)
  return {
    name: 'malcolm-armitage',
    summary:
      'Malcolm & Armitage: Listing 1 where Last-Modified is told, Listing 2 elsewhere; never stops',
    learner: 'malcolm-armitage',
    nextGap: (view) => listing(view).nextGap(view),
    reason: (view, gap) => listing(view).reason(view, gap),
  }
}
