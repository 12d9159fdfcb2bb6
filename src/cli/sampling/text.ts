import { humanDuration } from '../../model/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import type { SamplingRow } from './rows.js'
import type { SamplingSettings } from './settings.js'

interface Findings {
  readonly settings: SamplingSettings
  readonly rows: readonly SamplingRow[]
  readonly best: SamplingRow | undefined
}

/** The question, the ways to sample as a table, and the one to choose. */
export function writeSampling(out: TextOutput, findings: Findings): void {
  out.write(`${question(findings.settings)}\n\n`)
  writeTable(out, findings)
  out.write(`\n${answer(findings)}\n`)
}

function question({ changePeriod, error, told, level }: SamplingSettings): string {
  const period = humanDuration(changePeriod)
  const sight =
    told === 'changes' ? 'whether the page changed' : "the content's age (Last-Modified)"
  const goal =
    error === undefined
      ? `How well a change period of ${period} can be known`
      : `To know a change period of ${period} within ${percent(error)}`
  const sense =
    level === undefined
      ? 'one standard deviation: two of three estimates are nearer'
      : `${percent(level)} of estimates are nearer`
  return `${goal}, each visit telling ${sight}\n(error: ${sense}):`
}

function writeTable(out: TextOutput, { rows, best, settings }: Findings): void {
  const table = new AlignedTable(
    [
      { title: 'visit every', align: 'left' },
      { title: 'visits', align: 'right' },
      { title: 'for', align: 'left' },
      { title: 'error', align: 'right' },
      { title: '', align: 'left' },
    ],
    { write: (text) => out.write(text), room: undefined },
  )
  const praise = settings.error === undefined ? 'most exact' : 'cheapest'
  for (const row of rows) {
    table.row([
      humanDuration(row.gap),
      row.visits === null ? '-' : String(row.visits),
      row.duration === null ? '-' : humanDuration(row.duration),
      row.error === null ? '-' : percent(row.error),
      !row.enough ? 'not enough' : row === best && rows.length > 1 ? praise : '',
    ])
  }
  table.end()
}

function answer({ rows, best, settings }: Findings): string {
  if (best !== undefined) {
    const way = `${best.visits} visits, one every ${humanDuration(best.gap)}, over ${humanDuration(best.duration ?? 0)}`
    if (rows.length === 1) return `${way}: ${percent(best.error ?? 0)}.`
    return `${settings.error === undefined ? 'Most exact' : 'Cheapest'}: ${way}.`
  }
  const shortest = Math.min(...rows.flatMap((row) => row.duration ?? []))
  return settings.duration !== undefined && shortest < Infinity
    ? `${humanDuration(settings.duration)} is too short: at these gaps it takes ${humanDuration(shortest)} or more. Allow more time (--for) or a larger error (--error).`
    : 'No number of visits is enough: nearly every one would see a change. Visit more often (--every).'
}

function percent(share: number): string {
  const value = 100 * share
  if (value >= 1e6) return `${value.toExponential(1)}%`
  return `${Number(value.toPrecision(value < 10 ? 2 : 3))}%`
}
