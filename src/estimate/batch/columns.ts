import { type History, InputError, splitCalm } from '../../model/index.js'

/**
 * The observations of many pages as columns: page p owns the entries from
 * `offsets[p]` to below `offsets[p + 1]`. Nine bytes an observation and four a
 * page; the order within a page does not matter to any batch method.
 */
export interface Columns {
  /** One more than there are pages; starts at 0, never falls, ends at the number of gaps. */
  readonly offsets: Uint32Array
  /** Time between two successive successful visits, from `shortestGap` to `longestGap`. */
  readonly gaps: Float64Array
  /** 1 where a change was seen in the gap, 0 where not. */
  readonly changed: Uint8Array
}

/** Outside of these the sums and powers of a page could overflow, so such gaps are refused. */
export const shortestGap = 1e-100
export const longestGap = 1e100

export function pageCount({ offsets }: Pick<Columns, 'offsets'>): number {
  return offsets.length - 1
}

/** Columns of the histories, one page each, in their order. Checks every gap. O(n). */
export function columnsOf(known: readonly History[]): Columns {
  const histories = known.map(splitCalm)
  const total = histories.reduce((sum, { observations }) => sum + observations.length, 0)
  const columns = {
    offsets: new Uint32Array(histories.length + 1),
    gaps: new Float64Array(total),
    changed: new Uint8Array(total),
  }
  let at = 0
  histories.forEach(({ observations }, page) => {
    for (const { gap, changed } of observations) {
      columns.gaps[at] = gap
      columns.changed[at++] = changed ? 1 : 0
    }
    columns.offsets[page + 1] = at
  })
  checkColumns(columns)
  return columns
}

/** Refuses columns that do not fit together, and any gap or flag out of range. O(n). */
export function checkColumns(columns: Columns): void {
  checkShape(columns)
  checkOffsets(columns, { from: 0, to: pageCount(columns) })
  for (let page = 0; page < pageCount(columns); page++) checkPage(columns, page)
}

/** Refuses columns whose lengths do not fit together. O(1). */
export function checkShape({ offsets, gaps, changed }: Columns): void {
  if (offsets.length === 0) throw refusal('offsets must hold one entry more than there are pages')
  if (gaps.length !== changed.length)
    throw refusal(`there are ${gaps.length} gaps but ${changed.length} changed flags`)
  if (offsets[0] !== 0) throw refusal(`offsets must start at 0; this starts at ${offsets[0]}`)
  const end = offsets[offsets.length - 1]!
  if (end !== gaps.length) throw refusal(`offsets end at ${end}, but there are ${gaps.length} gaps`)
}

/** Refuses offsets of these pages that fall or lead out of the columns. O(pages). */
export function checkOffsets(
  { offsets, gaps }: Columns,
  { from, to }: { from: number; to: number },
): void {
  for (let page = from; page < to; page++) {
    const start = offsets[page]!
    const end = offsets[page + 1]!
    if (start > end || end > gaps.length)
      throw refusal(`the offsets of page ${page} go from ${start} to ${end}`)
  }
}

/** Refuses the first gap or flag of a page that is out of range. */
export function checkPage({ offsets, gaps, changed }: Columns, page: number): void {
  for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
    const where = `page ${page}, observation ${i - offsets[page]!}`
    if (!(gaps[i]! >= shortestGap && gaps[i]! <= longestGap))
      throw new InputError(
        'bad-gap',
        `${where}: a gap is a positive duration from ${shortestGap} to ${longestGap}; got ${gaps[i]}`,
      )
    if (changed[i]! > 1)
      throw new InputError('bad-flag', `${where}: changed is 0 or 1; got ${changed[i]}`)
  }
}

function refusal(reason: string): InputError {
  return new InputError('bad-columns', `${reason}; build columns with columnsOf()`)
}
