import type { AutoPrior, GroupEntry } from '../../../estimate/index.js'
import { shown } from '../../../formats/index.js'
import { DAY, HOUR, humanDuration, OptionError, type Seconds } from '../../../model/index.js'
import { twoPaceLaws as laws } from '../../../numeric/index.js'
import { counted } from '../../text/counted.js'
import type { TextOutput } from '../../world.js'

const ends: ReadonlyArray<readonly [string, Seconds]> = [
  ['within an hour', HOUR],
  ['1 to 6 hours', 6 * HOUR],
  ['6 hours to a day', DAY],
  ['1 to 7 days', 7 * DAY],
  ['7 to 30 days', 30 * DAY],
  ['1 to 6 months', 180 * DAY],
  ['more rarely', Infinity],
]
const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']
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
      `there is no law of its own for "${group}"; it has the whole's. Groups: ${groupNames(prior)}`,
    )
  const about = group === undefined ? prior.how : `${shown(group)}, ${counted(entry.pages, 'page')}`
  return [
    `What is thought of a page before it is looked at (${about})`,
    '',
    'It changes every ...',
    ...bars(entry, out),
    '',
    paceWords(entry),
    hourWords(entry),
    beginningWords(entry),
    ...(group === undefined ? groupLines(prior) : []),
    '',
  ].join('\n')
}

function groupNames({ groups }: AutoPrior): string {
  return Object.keys(groups).slice(0, mostGroups).map(shown).join(', ') || 'none'
}

function bars(entry: GroupEntry, { columns }: TextOutput): string[] {
  const shares = ends.map(() => 0)
  entry.masses.forEach((mass, law) => {
    const period = 1 / laws.meanRates[law]!
    shares[ends.findIndex(([, end]) => period <= end)]! += mass
  })
  const room = Math.max(10, Math.min(widest, (columns ?? 80) - 30))
  const most = Math.max(...shares)
  return ends.map(([name], i) => {
    const bar = '█'.repeat(Math.round((room * shares[i]!) / most))
    return `  ${name.padEnd(16)} ${`${(100 * shares[i]!).toFixed(0)}%`.padStart(4)} ${bar}`.trimEnd()
  })
}

function paceWords(entry: GroupEntry): string {
  const steady = entry.masses.slice(0, laws.changeRates.length).reduce((sum, mass) => sum + mass, 0)
  const middle = medianPeriod(entry)
  return `Half of all pages change more often than every ${humanDuration(middle)}; ${Math.round(100 * steady)}% at random, the others in bursts with calm between.`
}

function medianPeriod({ masses }: GroupEntry): Seconds {
  const order = masses.map((_, law) => law).sort((a, b) => laws.meanRates[b]! - laws.meanRates[a]!)
  let below = 0
  for (const law of order) {
    below += masses[law]!
    if (below >= 0.5) return 1 / laws.meanRates[law]!
  }
  return 1 / laws.meanRates[order.at(-1)!]!
}

function hourWords({ weekdays: days, hours }: GroupEntry): string {
  const [busy, calm] = [indexOfMost(days), indexOfMost(days.map((each) => -each))]
  const [early, late] = [indexOfMost(hours), indexOfMost(hours.map((each) => -each))]
  if (days[busy]! < 1.1 * days[calm]! && hours[early]! < 1.1 * hours[late]!)
    return 'At any hour of the week alike.'
  const ratio = (days[busy]! / Math.max(0.02, days[calm]!)).toFixed(1)
  return `${ratio} times as much on a ${weekdays[busy]} as on a ${weekdays[calm]}; most at ${clock(early)}, least at ${clock(late)} (UTC).`
}

function beginningWords({ newShare = 0 }: GroupEntry): string {
  return `${Math.round(100 * newShare)}% of the pages are followed from their beginning, when they change most; the others from any moment.`
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
        `  ${shown(name)}: ${counted(entry.pages, 'page')}, half change more often than every ${humanDuration(medianPeriod(entry))}`,
    )
  const rest = all.length - mostGroups
  return [
    '',
    `${counted(all.length, 'group')} with a law of its own:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ]
}
