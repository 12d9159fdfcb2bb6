import { reasonByHand } from '../engine/index.js'
import type { PageChange, PageRecord } from '../model/index.js'
import { checkedSettings } from './page-settings.js'
import type { PageChangeBody } from './schema/pages.js'
import type { Static } from './schema/words.js'
import type { WebRules } from './web-rules.js'

/** The store's change for what was asked. Settings are merged by name, and null takes one away. */
export function changeOf(
  page: PageRecord,
  { body, web }: { body: Static<typeof PageChangeBody>; web: WebRules },
): PageChange {
  const { group, importance, settings, due, forget } = body
  return {
    ...(group === undefined ? {} : { group }),
    ...(importance === undefined ? {} : { importance }),
    ...(settings === undefined
      ? {}
      : { settings: checkedSettings(merged(page, settings), { web }) }),
    ...(due === undefined ? {} : { due: { at: due.at, reason: reasonByHand(due.reason) } }),
    ...(forget === true ? { state: null } : {}),
  }
}

function merged({ settings }: PageRecord, changed: object): object {
  const all = Object.entries({ ...settings, ...changed })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}
