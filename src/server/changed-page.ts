import { reasonByHand } from '../engine/index.js'
import {
  type ChosenSettings,
  type PageChange,
  type PageRecord,
  type PageSettings,
  withChosen,
} from '../model/index.js'
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
      : { settings: changedSettings(page, { settings: settings as ChosenSettings, web }) }),
    ...(due === undefined ? {} : { due: { at: due.at, reason: reasonByHand(due.reason) } }),
    ...(forget === true ? { state: null } : {}),
  }
}

/**
 * Only what was sent is judged: what was stored before, by rules of another
 * time, must not stand in the way of changing anything else. Of the two limits
 * each is held against the other as it will be.
 */
function changedSettings(
  page: PageRecord,
  { settings, web }: { settings: ChosenSettings; web: WebRules },
): PageSettings {
  const all = withChosen(page.settings, settings)
  const sent: object = withChosen({}, settings)
  const limits = 'shortest' in sent || 'longest' in sent ? limitsIn(all) : {}
  checkedSettings({ ...sent, ...limits }, { web })
  return all
}

function limitsIn(settings: object): object {
  const limits = Object.entries(settings).filter(([name]) => /^(shortest|longest)$/.test(name))
  return Object.fromEntries(limits)
}
