import { pageLaw } from '../../../estimators/law/page-law.js'
import { type Bounded, type Staleness, staleness } from '../../../estimators/law/staleness.js'
import { csvField } from '../../../formats/csv-table.js'
import type { PageHistory } from '../../../formats/histories/page-by-page.js'
import { shown } from '../../../formats/printable-text.js'
import { humanDuration } from '../../../model/duration.js'
import type { History } from '../../../model/history.js'
import { percent, type Seconds } from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { levelPercent } from '../../text/numbers.js'
import { AlignedTable, columns } from '../../text/table.js'
import type { EstimateSettings } from './options.js'
import { automatic, curvesOf, type DistributionChoice } from './page-distribution.js'
import type { PageWriter } from './page-writer.js'

/** How stale a copy of the page is at each of the gaps, and why the updates behind are not known. */
export interface PageStaleness {
  readonly method: string
  readonly gaps: readonly Staleness[]
  /** Why there is no mean number of updates behind; null where there is one. */
  readonly words: string | null
}

/** Staleness at some gaps from one page's visits; null where they show no age distribution. */
export function pageStaleness(
  history: History | null,
  {
    gaps,
    level,
    choice = automatic,
  }: {
    readonly gaps: readonly Seconds[]
    readonly level: number
    readonly choice?: DistributionChoice
  },
): PageStaleness | null {
  if (history === null || history.observations.length === 0) return null
  const page = pageLaw(history, choice.method === undefined ? {} : { method: choice.method })
  const known = curvesOf(history, { page, choice, level })
  if (page.contentAges.kind === 'none') return null
  return {
    method: page.method.name,
    gaps: gaps.map((gap) => staleness(page, { gap, known })),
    words: page.identifiable.kind === 'identifiable' ? null : page.identifiable.words,
  }
}

/** `--staleness`: a line for each page and gap. */
export function stalenessWriter(
  { level, distributions }: EstimateSettings,
  { gaps, out }: { readonly gaps: readonly Seconds[]; readonly out: TextOutput },
): PageWriter {
  const bounds = `${levelPercent(level)}\nbounds`
  const titles = columns(
    'page',
    'refreshed\nevery',
    '>stale, share\nof the time',
    bounds,
    '>next visit\nfinds a change',
    bounds,
    '>updates\nbehind',
    bounds,
  )
  const table = new AlignedTable(titles, out)
  const notes = new Set<string>()
  return {
    page({ url, history }) {
      const found = pageStaleness(history, { gaps, level, choice: distributions[0]! })
      if (found?.words) notes.add(found.words)
      for (const [i, gap] of gaps.entries()) {
        const each = found?.gaps[i]
        table.row([
          i === 0 ? shown(url) : '',
          humanDuration(gap),
          ...cells(each?.stale, percent),
          ...cells(each?.changedByVisit, percent),
          ...cells(each?.updatesBehind, updates),
        ])
      }
    },
    end() {
      table.end()
      for (const note of notes) out.write(`updates behind: ${note}\n`)
    },
  }
}

function cells(bounded: Bounded | undefined, write: (value: number) => string): [string, string] {
  if (bounded === undefined) return ['-', '-']
  return [bounded.value === null ? '-' : write(bounded.value), range(bounded, write)]
}

function range({ low, high }: Bounded, write: (value: number) => string): string {
  if (low === null) return '-'
  return high === null ? `at least ${write(low)}` : `${write(low)} to ${write(high)}`
}

/** How many updates a copy trails by: `0.33`, `12`. */
function updates(value: number): string {
  return value >= 9.95 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))
}

/** What a copy refreshed at a gap is like, in a sentence; null where too little is known. */
export function stalenessWords(found: PageStaleness | null): string | null {
  const each = found?.gaps[0]
  const share = each?.stale.value ?? null
  if (each === undefined || share === null) return null
  const { stale, updatesBehind } = each
  const between = stale.low === null ? '' : ` (${range(stale, percent)})`
  const { value, low } = updatesBehind
  const behind =
    value !== null
      ? `, ${updates(value)} updates behind on average`
      : low === null
        ? ''
        : `, at least ${updates(low)} updates behind on average`
  return `refreshed every ${humanDuration(each.gap)}: stale ${percent(share)} of the time${between}${behind}`
}

/** The same for a program. */
export function stalenessJson(
  { url, history }: PageHistory,
  { gaps, settings }: { readonly gaps: readonly Seconds[]; readonly settings: EstimateSettings },
): object {
  const { level, distributions } = settings
  const found = pageStaleness(history, { gaps, level, choice: distributions[0]! })
  return {
    url,
    staleness:
      found === null
        ? null
        : {
            method: found.method,
            ...(found.words === null ? {} : { updatesBehind: found.words }),
            gaps: found.gaps,
          },
  }
}

export const stalenessCsvHead =
  'url,gap,stale,stale_low,stale_high,changed_by_visit,changed_low,changed_high,updates_behind,updates_low,updates_high,level'

/** The same as lines of CSV. */
export function stalenessCsv(url: string, found: PageStaleness | null): string[] {
  return (found?.gaps ?? []).map((each) =>
    [
      csvField(url),
      each.gap,
      ...numbers(each.stale),
      ...numbers(each.changedByVisit),
      ...numbers(each.updatesBehind),
      each.level ?? '',
    ].join(','),
  )
}

function numbers({ value, low, high }: Bounded): (number | string)[] {
  return [value ?? '', low ?? '', high ?? '']
}
