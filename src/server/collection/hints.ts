/** What publishers say of changes, of a page and of a host, as answers. */

import { Type } from 'typebox'
import { isTrusted, reliabilityOf } from '../../hints/reliability.js'
import { hintsView } from '../../hints/weighed-hints.js'
import { type Claim, type HintTally, hintKinds, noTally } from '../../model/hint.js'
import type { HostRecord } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import { hostHintsFrom, pageHintsFrom } from '../../model/stored-hints.js'
import { signalWeight, siteSignalFrom } from '../../planner/collection/site-signals.js'
import { hintWords } from '../../planner/evidence/hint-forecast.js'
import { type Answer, AnyJson, Count, oneOf, orNull, Share, Time } from '../schema.js'

const counts = {
  predicted: Type.Integer({ description: 'visits of which it predicted something' }),
  right: Type.Integer({ description: 'those that ended as it predicted' }),
  foundChanged: Type.Integer({ description: 'those that found a change' }),
}

export const HintsAnswer = Type.Object(
  {
    hints: AnyJson,
    reported: Type.Array(
      Type.Object({
        kind: oneOf(hintKinds),
        words: Type.String(),
        claim: Type.Unsafe<Claim>(AnyJson),
        reportedAt: Time,
        source: orNull(Type.String({ description: 'id of the sitemap or feed that reported it' })),
        reliability: Type.Number({
          description: 'the chance that it tells more than guessing; 0.5 before anything is known',
        }),
        trusted: Type.Boolean({ description: 'proved itself enough to be followed' }),
        ...counts,
        onHost: Type.Object(counts, { description: 'the same on all pages of the host' }),
      }),
    ),
    allowance: Type.Number({ description: 'visits that may still be wasted on hints' }),
    wasted: Type.Number(),
  },
  { title: 'Hints' },
)
export type HintsAnswer = Answer<typeof HintsAnswer>

export const HostHints = Type.Array(
  Type.Object({
    kind: oneOf(hintKinds),
    predicted: Count,
    right: Count,
    foundChanged: Count,
    reliability: Share,
    trusted: Type.Boolean(),
  }),
)

/** The hints of a page with how far they proved right, there and on its host. */
export function hintsAnswer(page: PageRecord, host: HostRecord | null): HintsAnswer {
  const hintState = { page: pageHintsFrom(page.hints), host: hostHintsFrom(host?.hints) }
  const { reported, allowance } = hintsView(hintState, { visits: page.visits })
  return {
    hints: page.hints,
    reported: reported.map(({ kind, claim, reportedAt, reliability, trusted, tally }) => ({
      kind,
      words: hintWords({ kind, claim }),
      claim,
      reportedAt,
      source: hintState.page.kinds[kind]?.source ?? null,
      reliability,
      trusted,
      ...hintCounts(tally),
      onHost: hintCounts(hintState.host.tallies[kind] ?? noTally),
    })),
    allowance,
    wasted: hintState.page.wasted,
  }
}

/** How the hints of all pages of a host did. */
export function hostHintsAnswer(host: HostRecord | null) {
  const { tallies } = hostHintsFrom(host?.hints)
  return hintKinds.flatMap((kind) => {
    const tally = tallies[kind]
    if (tally === undefined) return []
    const reliability = reliabilityOf(noTally, tally)
    return [{ kind, ...hintCounts(tally), reliability, trusted: isTrusted(noTally, tally) }]
  })
}

/** How visits went that came soon after another page of the site changed. */
export function neighboursAnswer(host: HostRecord | null) {
  const changeSignal = siteSignalFrom(hostHintsFrom(host?.hints).changeSignal)
  const { at, visits, changed, expected, record } = changeSignal
  return {
    on: record.on,
    lastSignal: at,
    events: record.events,
    visits,
    foundChanged: changed,
    expected,
    lift: signalWeight(changeSignal),
  }
}

function hintCounts({ predicted, right, changed }: HintTally) {
  return { predicted, right, foundChanged: changed }
}
