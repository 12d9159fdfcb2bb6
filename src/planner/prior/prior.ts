import { InputError } from '../../model/errors.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { weekClock } from '../../numeric/week-clock.js'
import type { GroupChangeLaw } from '../posterior/posterior.js'

/** One group's law as plain JSON. */
export interface GroupEntry {
  /** Pages that it was learned from. */
  readonly pages: number
  /** A mass for each law of `twoPaceLaws`. */
  readonly masses: readonly number[]
  /** Speeds of the clock by weekday, Thursday first, and by hour (UTC). */
  readonly weekdays: readonly number[]
  readonly hours: readonly number[]
  /** Share of the pages that are followed from their beginning; none by default. */
  readonly newShare?: number
  /** How many times as much of its pages' time was stale as predicted; 1 by default. */
  readonly staleRatio?: number
}

/** What the default knows before it looks: of any page, and of the pages of each group. Plain JSON. */
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
