import {
  hintsView,
  hostHintsFrom,
  isBelieved,
  noTally,
  pageHintsFrom,
  reliabilityOf,
} from '../engine/index.js'
import { type HintTally, type HostRecord, hintKinds, type PageRecord } from '../model/index.js'
import { newsWeight, siteNewsFrom } from '../planner/index.js'
import { hintWords } from '../schedule/index.js'

/** The hints of a page with what they are worth, there and on its host. */
export function hintsTold(page: PageRecord, host: HostRecord | null) {
  const heard = { page: pageHintsFrom(page.hints), host: hostHintsFrom(host?.hints) }
  const { told, allowance } = hintsView(heard, { visits: page.visits })
  return {
    told: told.map(({ kind, claim, toldAt, reliability, believed, tally }) => ({
      kind,
      words: hintWords({ kind, claim }),
      claim,
      toldAt,
      source: heard.page.kinds[kind]?.source ?? null,
      reliability,
      believed,
      ...counts(tally),
      onHost: counts(heard.host.tallies[kind] ?? noTally),
    })),
    allowance,
    wasted: heard.page.wasted,
  }
}

/** How the hints of all pages of a host did. */
export function hostHintsTold(host: HostRecord | null) {
  const { tallies } = hostHintsFrom(host?.hints)
  return hintKinds.flatMap((kind) => {
    const tally = tallies[kind]
    if (tally === undefined) return []
    const reliability = reliabilityOf(noTally, tally)
    return [{ kind, ...counts(tally), reliability, believed: isBelieved(noTally, tally) }]
  })
}

/** How visits went that came soon after another page of the site changed. */
export function neighboursTold(host: HostRecord | null) {
  const news = siteNewsFrom(hostHintsFrom(host?.hints).news)
  const { at, visits, changed, expected, record } = news
  return {
    on: record.on,
    lastNews: at,
    events: record.events,
    visits,
    foundChanged: changed,
    expected,
    lift: newsWeight(news),
  }
}

function counts({ foretold, right, changed }: HintTally) {
  return { foretold, right, foundChanged: changed }
}
