import { discoverRules } from '../../../crawl/index.js'
import {
  barrelOfPage,
  declaredIn,
  hostHintsFrom,
  pageHintsFrom,
  weighedHints,
} from '../../../engine/index.js'
import type {
  HostRecord,
  Json,
  PageRecord,
  UnixSeconds,
  WeighedHint,
} from '../../../model/index.js'
import { hintWords } from '../../../schedule/index.js'
import { counted } from '../../text/counted.js'
import { humanMoment } from '../../text/human-moment.js'

interface About {
  readonly page: PageRecord
  readonly host: HostRecord | null
}

/** The hints of a page with what they are worth. */
function hintsOf({ page, host }: About): readonly WeighedHint[] {
  return weighedHints({ page: pageHintsFrom(page.hints), host: hostHintsFrom(host?.hints) })
}

/** One row for each hint; the first is named. */
export function hintRows(
  about: About & { readonly now: UnixSeconds },
): Array<[string, string | null]> {
  return hintsOf(about).map((hint, index) => [index === 0 ? 'hints' : '', hintText(hint, about)])
}

function hintText(hint: WeighedHint, { now }: { readonly now: UnixSeconds }): string {
  const { claim, tally, believed, reliability } = hint
  const said = claim.says === 'changed-at' ? `, last ${humanMoment(claim.at, now)}` : ''
  const record =
    tally.foretold === 0
      ? 'not yet put to the test'
      : `right ${tally.right} of ${counted(tally.foretold, 'time')}`
  const worth = `reliability ${reliability.toFixed(2)}, ${believed ? 'believed' : 'not believed'}`
  return `${hintWords(hint)}${said} (${record}; ${worth})`
}

/** The same for a program. */
export function hintsJson(page: PageRecord, host: HostRecord | null): Json {
  return hintsOf({ page, host }).map(({ kind, claim, toldAt, reliability, believed, tally }) => ({
    kind,
    claim: claim as unknown as Json,
    toldAt,
    reliability: Math.round(reliability * 1e4) / 1e4,
    believed,
    foretold: tally.foretold,
    right: tally.right,
  }))
}

/** What a page is to lead to, if anything. */
export function findsText({ settings }: PageRecord): string | null {
  const rules = discoverRules(settings)
  if (rules === null) return null
  const { depth, pages, include, exclude } = rules
  const only = include.length === 0 ? '' : `, only ${include.join(' ')}`
  const not = exclude.length === 0 ? '' : `, not ${exclude.join(' ')}`
  return `pages up to ${counted(depth, 'link')} from here, at most ${pages}${only}${not}`
}

/** The barrel that `revisit run --barrels` visits it in; null where it declares nothing. */
export function barrelText(page: PageRecord): string | null {
  return declaredIn(pageHintsFrom(page.hints)) === null ? null : barrelOfPage(page)
}
