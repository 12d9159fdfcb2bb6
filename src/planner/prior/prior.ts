import {
  cellEdges,
  type GridPrior,
  gridPrior,
  logGrid,
  periodQuantile,
} from '../../estimators/prior/grid-prior.js'
import { InputError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { weekClock } from '../../numeric/week-clock.js'
import type { GroupChangeLaw } from '../posterior/posterior.js'
import type { ClockEvidence } from './clock-evidence.js'

/** One group's law as plain JSON. */
export interface GroupEntry {
  /** Pages that it was learned from. */
  readonly pages: number
  /** A mass for each law of `hyperexponentialLaws`. */
  readonly masses: readonly number[]
  /** Speeds of the clock by weekday, Thursday first, and by hour (UTC). */
  readonly weekdays: readonly number[]
  readonly hours: readonly number[]
  /** Share of the pages that are followed from their beginning; none by default. */
  readonly newShare?: number
  /** How many times as much of its pages' time was stale as predicted; 1 by default. */
  readonly staleRatio?: number
  /** Half of its pages change more often, found on a finer grid than that of the laws; from the masses where left out. */
  readonly medianPeriod?: Seconds
  /** What the gaps of its pages tell of weekdays and hours, beside the clock that was assumed. */
  readonly evidence?: ClockEvidence
  /** As how many pages the shipped prior counts in the masses, and their share; nothing by default. */
  readonly shipped?: { readonly pages: number; readonly share: number }
}

/** What the default knows before any visit: of any page, and of the pages of each group. Plain JSON. */
export interface AutoPrior {
  readonly format: 'revisit-auto-prior'
  readonly version: 1
  /** How it came about, for people. */
  readonly how: string
  readonly whole: GroupEntry
  readonly groups: Readonly<Record<string, GroupEntry>>
}

/** The law of a group: its own, or the whole's where it has none. */
export function changeLawOfGroup({ whole, groups }: AutoPrior, group?: string): GroupChangeLaw {
  const own = group !== undefined && Object.hasOwn(groups, group) ? groups[group]! : whole
  return changeLawOfEntry(own)
}

export function changeLawOfEntry(entry: GroupEntry): GroupChangeLaw {
  const { masses, weekdays, hours, newShare = 0, staleRatio = 1 } = entry
  const clock = weekClock({ weekdays, hours })
  return { masses: Float64Array.from(masses), clock, newShare, staleRatio }
}

/** A law as an entry, to six digits: masses are no surer than that. */
export function entryOfChangeLaw(
  { masses, clock, newShare = 0 }: GroupChangeLaw,
  { pages }: { pages: number },
): GroupEntry {
  const total = masses.reduce((sum, each) => sum + each, 0)
  return {
    pages,
    masses: Array.from(masses, (each) => short(each / total)),
    weekdays: Array.from(clock.weekdays, short),
    hours: Array.from(clock.hours, short),
    newShare: short(newShare),
  }
}

const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']

/** What people are shown of an entry. */
export interface PriorSummary {
  /** Mean change periods with the share of pages that have them, the shortest first. */
  readonly periods: readonly { readonly period: Seconds; readonly mass: number }[]
  /** Half of the pages change more often. */
  readonly medianPeriod: Seconds
  /** Share of the pages that change at random, at one rate; the others change in bursts. */
  readonly steadyShare: number
  /** Speeds of the clock: the means of each are 1. */
  readonly weekdays: readonly { readonly name: string; readonly speed: number }[]
  readonly hours: readonly number[]
  /** Share of the pages that are followed from their beginning. */
  readonly newShare: number
}

export function priorSummary(entry: GroupEntry): PriorSummary {
  const { masses, weekdays: speeds, hours, newShare = 0 } = entry
  const periods = masses
    .map((mass, law) => ({ period: 1 / laws.meanRates[law]!, mass }))
    .sort((a, b) => a.period - b.period)
  return {
    periods,
    medianPeriod: entry.medianPeriod ?? periodQuantile(periodLaw(entry), 0.5),
    steadyShare: masses.slice(0, laws.changeRates.length).reduce((sum, mass) => sum + mass, 0),
    weekdays: speeds.map((speed, day) => ({ name: weekdays[day]!, speed })),
    hours,
    newShare,
  }
}

/** Half a step of the grid of laws, in logarithms: each law stands for rates so far to both sides. */
const halfStep = Math.log(laws.changeRates[1]! / laws.changeRates[0]!) / 2
/** From somewhat shorter than the fastest law's period to somewhat longer than the slowest's. */
const periodGrid = logGrid({
  shortest: Math.exp(-2 * halfStep) / laws.changeRates.at(-1)!,
  longest: Math.exp(2 * halfStep) / laws.changeRates[0]!,
  nodes: 161,
})

/** How the mean change periods of an entry's pages are spread, each law evenly over the step that it stands for. O(laws x nodes). */
export function periodLaw({ masses }: Pick<GroupEntry, 'masses'>): GridPrior {
  const edges = cellEdges({ periods: periodGrid })
  const weights = new Float64Array(periodGrid.length)
  for (const [law, mass] of masses.entries()) {
    const middle = -Math.log(laws.meanRates[law]!)
    for (let cell = 0; cell < weights.length; cell++) {
      const from = Math.max(edges[cell]!, middle - halfStep)
      const to = Math.min(edges[cell + 1]!, middle + halfStep)
      if (to > from) weights[cell]! += (mass * (to - from)) / (2 * halfStep)
    }
  }
  return gridPrior(periodGrid, weights)
}

/** Reads a prior back from JSON text, refusing with the reason whatever is not one. */
export function parseAutoPrior(text: string): AutoPrior {
  const file = json(text)
  if (file?.format !== 'revisit-auto-prior' || file.version !== 1)
    throw bad('it has no "format": "revisit-auto-prior" of version 1')
  if (typeof file.how !== 'string') throw bad('"how" must say in words how it was made')
  checkEntry(file.whole, '"whole"')
  for (const [name, entry] of Object.entries(file.groups ?? {}))
    checkEntry(entry, `group "${name}"`)
  return { ...file, groups: file.groups ?? {} }
}

function json(text: string): AutoPrior | null {
  try {
    return JSON.parse(text) as AutoPrior | null
  } catch (cause) {
    throw bad(`it is not JSON (${(cause as Error).message}); perhaps it was cut short`, { cause })
  }
}

function checkEntry(entry: GroupEntry | undefined, where: string): void {
  checkNumbers(entry?.masses, { length: laws.size, where: `the masses of ${where}` })
  checkNumbers(entry?.weekdays, { length: 7, where: `the weekdays of ${where}` })
  checkNumbers(entry?.hours, { length: 24, where: `the hours of ${where}` })
  const { masses, newShare = 0, staleRatio = 1 } = entry!
  if (!(typeof staleRatio === 'number' && staleRatio > 0 && staleRatio < Infinity))
    throw bad(`the staleRatio of ${where} is ${JSON.stringify(staleRatio)}, not a number above 0`)
  if (!(typeof newShare === 'number' && newShare >= 0 && newShare <= 1))
    throw bad(`the newShare of ${where} is ${JSON.stringify(newShare)}, not from 0 to 1`)
  const total = masses.reduce((sum, each) => sum + each, 0)
  if (!(Math.abs(total - 1) < 1e-3)) throw bad(`the masses of ${where} sum to ${total}, not to 1`)
}

function checkNumbers(
  list: readonly number[] | undefined,
  { length, where }: { length: number; where: string },
): void {
  if (!Array.isArray(list) || list.length !== length)
    throw bad(`${where} must be a list of ${length} numbers`)
  const wrong = list.findIndex(
    (each) => !(typeof each === 'number' && each >= 0 && each < Infinity),
  )
  if (wrong >= 0) throw bad(`${where} hold ${JSON.stringify(list[wrong])}, not a number from 0 up`)
}

function bad(reason: string, options: ErrorOptions = {}): InputError {
  return new InputError(
    'bad-prior-file',
    `this is no prior that can be used: ${reason}. Write it anew with the command that made it.`,
    options,
  )
}

function short(value: number): number {
  return Number(value.toPrecision(6))
}
