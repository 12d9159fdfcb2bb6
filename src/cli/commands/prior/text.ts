import { shown } from '../../../formats/printable-text.js'
import { humanDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import { DAY, HOUR, percent, type Seconds } from '../../../model/units.js'
import { isOther } from '../../../planner/prior/clock-evidence.js'
import {
  type AutoPrior,
  type GroupEntry,
  type PriorSummary,
  priorSummary,
} from '../../../planner/prior/prior.js'
import type { TextOutput } from '../../environment.js'
import { counted, levelPercent } from '../../text/numbers.js'

const ends: ReadonlyArray<readonly [string, Seconds]> = [
  ['within an hour', HOUR],
  ['1 to 6 hours', 6 * HOUR],
  ['6 hours to a day', DAY],
  ['1 to 7 days', 7 * DAY],
  ['7 to 30 days', 30 * DAY],
  ['1 to 6 months', 180 * DAY],
  ['more rarely', Infinity],
]
const mostGroups = 10
const widest = 40

/** A prior in words, with a bar for each range of change periods. */
export function priorText(
  prior: AutoPrior,
  { out, group }: { readonly out: TextOutput; readonly group: string | undefined },
): string {
  const entry = group === undefined ? prior.whole : prior.groups[group]
  if (entry === undefined)
    throw new OptionError(
      'unknown-group',
      `there is no change law of its own for "${group}"; it has the whole's. Groups: ${groupNames(prior)}`,
    )
  const summary = priorSummary(entry)
  const about = group === undefined ? prior.how : `${shown(group)}, ${counted(entry.pages, 'page')}`
  return [
    `What is assumed of a page before it is visited (${about})`,
    '',
    'It changes every ...',
    ...bars(summary, out),
    '',
    rateWords(summary),
    hourWords(summary, entry),
    beginningWords(summary),
    ...shippedLines(entry),
    ...(group === undefined ? groupLines(prior) : []),
    '',
  ].join('\n')
}

function groupNames({ groups }: AutoPrior): string {
  return Object.keys(groups).slice(0, mostGroups).map(shown).join(', ') || 'none'
}

function bars({ periods }: PriorSummary, { columns }: TextOutput): string[] {
  const shares = ends.map(() => 0)
  for (const { period, mass } of periods)
    shares[ends.findIndex(([, end]) => period <= end)]! += mass
  const room = Math.max(10, Math.min(widest, (columns ?? 80) - 30))
  const most = Math.max(...shares)
  return ends.map(([name], i) => {
    const bar = '█'.repeat(Math.round((room * shares[i]!) / most))
    return `  ${name.padEnd(16)} ${percent(shares[i]!).padStart(4)} ${bar}`.trimEnd()
  })
}

function rateWords({ medianPeriod, steadyShare }: PriorSummary): string {
  return `Half of all pages change more often than every ${humanDuration(medianPeriod)}; ${percent(steadyShare)} at random, the others in bursts with quiet time between.`
}

function hourWords({ weekdays, hours }: PriorSummary, { evidence }: GroupEntry): string {
  if (evidence !== undefined && !isOther(Math.min(evidence.weekdayChance, evidence.hourChance)))
    return noRhythmWords(evidence)
  const speeds = weekdays.map(({ speed }) => speed)
  const busiest = weekdays[indexOfMost(speeds)]!
  const quietest = weekdays[indexOfMost(speeds.map((each) => -each))]!
  const [early, late] = [indexOfMost(hours), indexOfMost(hours.map((each) => -each))]
  if (busiest.speed < 1.1 * quietest.speed && hours[early]! < 1.1 * hours[late]!)
    return 'At any hour of the week alike.'
  const ratio = (busiest.speed / Math.max(0.02, quietest.speed)).toFixed(1)
  return `${ratio} times as much on a ${busiest.name} as on a ${quietest.name}; most at ${clock(early)}, least at ${clock(late)} (UTC).`
}

function noRhythmWords({ weekdays, gaps, level }: NonNullable<GroupEntry['evidence']>): string {
  if (weekdays.length === 0)
    return 'Nothing was seen of the hours of the week: visits are too far apart, or too few.'
  const widest = Math.max(...weekdays.map(({ low, high }) => (high - low) / 2))
  return `At any hour of the week alike, as far as ${counted(gaps, 'gap')} tell: no weekday differs from the mean beyond its bounds (${percent(widest)} to either side at most, level ${levelPercent(level)} for all seven).`
}

/** What of it is not this collection's own. A prior that was fitted takes no hours from elsewhere. */
function shippedLines({ shipped, pages, evidence }: GroupEntry): string[] {
  if (shipped === undefined) return []
  const hours = evidence === undefined ? '; its hours count as 20 changes on each weekday' : ''
  return [
    `${percent(shipped.share)} of these shares are the prior that ships with Revisit: it counts as ${counted(Math.round(shipped.pages), 'page')} beside the ${pages} here${hours}.`,
  ]
}

function beginningWords({ newShare }: PriorSummary): string {
  return `${percent(newShare)} of the pages are followed from their beginning, when they change most; the others from any moment.`
}

function indexOfMost(values: readonly number[]): number {
  return values.reduce((best, each, i) => (each > values[best]! ? i : best), 0)
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:30`
}

function groupLines({ groups }: AutoPrior): string[] {
  const all = Object.entries(groups).sort((a, b) => b[1].pages - a[1].pages)
  if (all.length === 0) return []
  const lines = all
    .slice(0, mostGroups)
    .map(
      ([name, entry]) =>
        `  ${shown(name)}: ${counted(entry.pages, 'page')}, half change more often than every ${humanDuration(priorSummary(entry).medianPeriod)}`,
    )
  const rest = all.length - mostGroups
  return [
    '',
    `${counted(all.length, 'group')} with a change law of its own:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ]
}
