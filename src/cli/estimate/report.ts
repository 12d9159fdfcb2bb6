import type { Problems, ReadReport } from '../../formats/index.js'

/** What a run came to. */
export interface Tally {
  readonly pages: number
  readonly visits: number
  readonly changes: number
  readonly problems: Problems
  readonly read: ReadReport
}

const kinds = {
  seconds: 'Unix seconds',
  milliseconds: 'Unix milliseconds',
  iso: 'ISO 8601',
  cdx: 'timestamps of 14 digits, UTC',
}

/** The closing line: what was counted, how times were read, what was skipped. */
export function closingLine({ pages, visits, changes, problems, read }: Tally): string {
  const counts = [count(pages, 'page'), count(visits, 'visit'), count(changes, 'change')].join(', ')
  const times = read.time === undefined ? '' : `; times read as ${kinds[read.time]}`
  const skipped = problems.total === 0 ? '' : `; ${count(problems.total, unitOf(read))} skipped`
  return `${counts}${times}${skipped}`
}

/** The problems for a person: the first by number and reason, the rest counted by reason. */
export function problemLines(problems: Problems, read: ReadReport | undefined): string[] {
  const unit = read === undefined ? 'line' : unitOf(read)
  const lines = problems.first.map(({ line, message }) => `${unit} ${line}: ${message}`)
  const more = problems.total - problems.first.length
  if (more === 0) return lines
  const reasons = [...problems.counts].sort((a, b) => b[1] - a[1])
  const counted = reasons.map(([code, times]) => `${times} ${code}`).join(', ')
  return [...lines, `and ${count(more, unit)} more; in all ${counted}`]
}

function unitOf(read: ReadReport): 'line' | 'row' {
  return read.format === 'parquet' ? 'row' : 'line'
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
