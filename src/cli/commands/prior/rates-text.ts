import { gridPrior, periodQuantile } from '../../../estimators/prior/grid-prior.js'
import type { PseudoGaps } from '../../../estimators/rate/irregular-mle.js'
import { humanDuration } from '../../../model/duration.js'
import type { Seconds } from '../../../model/units.js'
import type { StoredRates } from '../../../planner/prior/stored-rates.js'
import { counted } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'

const readingNames: Readonly<Record<string, string>> = {
  'log-period': 'log periods',
  rate: 'rates',
}

/** What Grimes & Ford's method assumes of pages, in words and as a table of both readings. */
export function ratesText(fitted: StoredRates): string {
  const { how, unfinished, use, fits, firstGap } = fitted
  const law = gridPrior(fitted.law.periods, fitted.law.masses)
  const others =
    unfinished === 0
      ? ''
      : ` (${counted(unfinished, 'other page')} changed less often, and did not count)`
  const rows = fits.map((fit) => [
    readingNames[fit.reading] ?? fit.reading,
    humanDuration(fit.changed),
    humanDuration(fit.unchanged),
    humanDuration(startOf(fit)),
    fit.distance.toFixed(2),
    `${fit.agreeing} of ${fit.restarts}`,
    [...(use === fit.reading ? ['followed'] : []), ...reachWords(fit.reach)].join('; '),
  ])
  const titles = columns(
    'pseudo-gaps over',
    '>changed',
    '>unchanged',
    '>first gap',
    '>distance',
    '>runs agree',
    '',
  )
  const whole = use === 'law' ? ' The whole law is followed, not the pairs.' : ''
  return [
    `Grimes & Ford, ${how}${others}:`,
    `half of them change more often than every ${humanDuration(periodQuantile(law, 0.5))}.`,
    '',
    tableText({ columns: titles, rows }).trimEnd(),
    '',
    `Best first gap of such pages where estimates have no prior (section 4.2): ${humanDuration(firstGap.gap)}, after which they are within ${humanDuration(firstGap.deviation)} of the truth (median of five visits).${whole}`,
    '',
  ].join('\n')
}

/** Where a new page begins: c / ln(1 + c / u) solves eq. 2 for one gap of each kind. */
function startOf({ changed, unchanged }: PseudoGaps): Seconds {
  return changed / Math.log1p(changed / unchanged)
}

function reachWords(reach: string): string[] {
  if (reach === 'too-wide') return ['pages differ more than two gaps can say']
  return reach === 'too-narrow' ? ['pages differ less than two gaps can say'] : []
}
