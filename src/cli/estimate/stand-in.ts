import type { Verdict } from '../../model/index.js'

/** Whether the number only stands in for what the visits could not tell; the bounds say what they did. */
export function isStandIn(verdict: Verdict): boolean {
  return verdict === 'no-change-seen' || verdict === 'always-changed'
}
