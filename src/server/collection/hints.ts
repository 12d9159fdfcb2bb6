import { Type } from 'typebox'
import { isBelieved, noTally, reliabilityOf } from '../../hints/reliability.js'
import { hostHintsFrom, pageHintsFrom } from '../../hints/stored-hints.js'
import { hintsView } from '../../hints/weighed-hints.js'
import { type HintTally, hintKinds } from '../../model/hint.js'
import type { HostRecord } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import { newsWeight, siteNewsFrom } from '../../planner/collection/site-signals.js'
import { hintWords } from '../../planner/evidence/hint-forecast.js'
import { AnyJson, Count, orNull, Time } from '../schema.js'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const counts = {
  foretold: Type.Integer({ description: 'visits of which it foretold something' }),
  right: Type.Integer({ description: 'those that ended as it foretold' }),
  foundChanged: Type.Integer({ description: 'those that found a change' }),
}

export const HintsAnswer = Type.Object(
  {
    hints: AnyJson,
    told: Type.Array(
      Type.Object({
        kind: Type.String(),
        words: Type.String(),
        claim: AnyJson,
        toldAt: Time,
        source: orNull(Type.String({ description: 'id of the sitemap or feed that told it' })),
        reliability: Type.Number({
          description: 'the chance that it tells more than guessing; 0.5 before anything is known',
        }),
        believed: Type.Boolean({ description: 'proved itself enough to be followed' }),
        ...counts,
        onHost: Type.Object(counts, { description: 'the same on all pages of the host' }),
      }),
    ),
    allowance: Type.Number({ description: 'visits that may still be wasted on hints' }),
    wasted: Type.Number(),
  },
  { title: 'Hints' },
)

export const HostHints = Type.Array(
  Type.Object({
    kind: Type.String(),
    foretold: Count,
    right: Count,
    foundChanged: Count,
    reliability: Share,
    believed: Type.Boolean(),
  }),
)

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
      ...countsOfHintsTold(tally),
      onHost: countsOfHintsTold(heard.host.tallies[kind] ?? noTally),
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
    return [
      { kind, ...countsOfHintsTold(tally), reliability, believed: isBelieved(noTally, tally) },
    ]
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

function countsOfHintsTold({ foretold, right, changed }: HintTally) {
  return { foretold, right, foundChanged: changed }
}
