import { type Ageing, ageingMeaning } from '../../estimators/law/ageing.js'
import { nearPoisson, weibullGaps } from '../../estimators/law/weibull-gaps.js'
import { spreadBack } from '../../lab/evaluate/collection.js'
import { OptionError } from '../../model/errors.js'
import type { RecordedChanges } from '../../model/history.js'
import { percent } from '../../model/units.js'
import { quantile } from '../../numeric/summary.js'
import { plainCommand } from '../command.js'
import { exitCode, exitCodeHelp } from '../environment.js'
import { readHistories } from '../recorded-histories.js'
import { jsonText } from '../text/json.js'
import { count } from '../text/numbers.js'
import { columns, type Table, tableText } from '../text/table.js'

/** Of one source, or of all: how many pages follow which kind of law. */
interface AgeingShares {
  readonly source: string
  /** Pages with changes enough for a fit, and those without. */
  readonly pages: number
  readonly unfitted: number
  readonly NWU: number
  readonly NBU: number
  readonly memoryless: number
  /** Null where no page could be fitted. */
  readonly medianShape: number | null
}

/** Shares over all pages first, then by source in the order they come. */
function ageingShares(
  recorded: readonly RecordedChanges[],
  options: { readonly seed: number },
): AgeingShares[] {
  const bySource = new Map<string, RecordedChanges[]>()
  for (const each of recorded)
    bySource.set(each.source, [...(bySource.get(each.source) ?? []), each])
  const all = sharesOf('all', recorded, options)
  return bySource.size < 2
    ? [all]
    : [all, ...[...bySource].map(([source, pages]) => sharesOf(source, pages, options))]
}

function sharesOf(
  source: string,
  pages: readonly RecordedChanges[],
  options: { readonly seed: number },
): AgeingShares {
  const shapes: number[] = []
  const count: Record<Ageing, number> = { NWU: 0, NBU: 0, memoryless: 0 }
  for (const page of pages) {
    const fit = fitOf(page, options)
    if (fit.kind === 'none') continue
    shapes.push(fit.shape)
    count[fit.ageing]++
  }
  const fitted = shapes.length
  const share = (number: number) => (fitted > 0 ? number / fitted : 0)
  return {
    source,
    pages: fitted,
    unfitted: pages.length - fitted,
    NWU: share(count.NWU),
    NBU: share(count.NBU),
    memoryless: share(count.memoryless),
    medianShape: fitted > 0 ? quantile(shapes, 0.5) : null,
  }
}

/** The record starts at an update of its own, so the first gap counts; the last is open. */
function fitOf(
  page: RecordedChanges,
  options: { readonly seed: number },
): ReturnType<typeof weibullGaps> {
  const times = [page.from, ...spreadBack(page, options)]
  const gaps = times.slice(1).map((at, i) => at - times[i]!)
  return weibullGaps(gaps, { open: Math.max(0, page.until - times.at(-1)!) })
}

const classes = `A Weibull law is fitted to each page's gaps between changes, the last one still open:
  NWU           shape below ${nearPoisson.low}. ${ageingMeaning.NWU}
  NBU           shape above ${nearPoisson.high}. ${ageingMeaning.NBU}
  near Poisson  in between. ${ageingMeaning.memoryless}
Pages with too few changes for a fit are counted and left out.

Examples:
  revisit laws --histories updates.csv.gz --objects objects.csv
${exitCodeHelp}`

/** `revisit laws`: which kinds of update gaps recorded pages have. */
export const lawsCommand = plainCommand({
  description: 'The share of recorded pages whose update gaps are bursty, regular or near Poisson.',
  options: [
    ['--histories <file>', 'when pages changed: CSV object_id,unix_seconds (gzipped or not)'],
    [
      '--objects <file>',
      'the pages: CSV object_id,first,observed_until and, if known, source,cadence_s',
    ],
    [
      '--seed <number>',
      'seeds the sampling by which polled changes are put back (default: 1)',
      count(0),
    ],
    ['-j, --json', 'JSON'],
  ],
  more: classes,
  async run(environment, _, flags) {
    const { histories, objects, seed = 1 } = flags
    if (histories === undefined)
      throw new OptionError(
        'no-histories',
        'which histories? Give --histories updates.csv and, if there is one, --objects objects.csv',
      )
    const shares = ageingShares(await readHistories(environment, { histories, objects }), { seed })
    const { out } = environment
    out.write(flags.json === true ? jsonText(shares) : tableText(sharesTable(shares), out.columns))
    return exitCode.done
  },
})

function sharesTable(shares: readonly AgeingShares[]): Table {
  const titles = [
    'too few changes',
    'NWU (bursty)',
    'NBU (regular)',
    'near Poisson',
    'median shape',
  ]
  const share = (value: number, { pages }: AgeingShares) =>
    pages > 0 ? percent(value, { digits: 1 }) : '-'
  return {
    columns: columns('source', '>pages', ...titles.map((title) => `>${title}`)),
    rows: shares.map((each) => [
      each.source,
      String(each.pages),
      String(each.unfitted),
      share(each.NWU, each),
      share(each.NBU, each),
      share(each.memoryless, each),
      each.medianShape === null ? '-' : each.medianShape.toFixed(2),
    ]),
  }
}
