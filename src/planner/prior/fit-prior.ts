import { type History, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { bisect } from '../../numeric/root.js'
import { type WeekClock, weekClock } from '../../numeric/week-clock.js'
import { autoLearner, predictions } from '../posterior/learner.js'
import { type GroupChangeLaw, openChangeLaw } from '../posterior/posterior.js'
import { type ClockEvidence, clockEvidence, isOther } from './clock-evidence.js'
import { fineRow, fitFineMasses, medianOfFine, spreadMasses, summedMasses } from './fine-masses.js'
import { fitWeekClock, GapLog } from './fit-clock.js'
import { type AutoPrior, entryOfChangeLaw, type GroupEntry } from './prior.js'

/** The latest so many pages: how pages come to be followed may change. */
const room = 2000

/**
 * What the first gaps of a group's pages showed: what tells whether pages are
 * followed from their beginning or from any moment. Pages whose content age
 * was reported at the first visit have no place here: of them it is known.
 */
export class FirstGaps {
  readonly #gaps: Seconds[] = []
  readonly #changed: boolean[] = []
  #met = 0

  note({ gap, changed }: { readonly gap: Seconds; readonly changed: boolean }): void {
    const at = this.#met++ % room
    this.#gaps[at] = gap
    this.#changed[at] = changed
  }

  get size(): number {
    return this.#gaps.length
  }

  /** How likely each first gap's find is from a beginning, then from any moment. O(size x laws), less where gaps are equal. */
  likelihoods(masses: Float64Array): Float64Array {
    const rows = new Float64Array(2 * this.size)
    const known = new Map<Seconds, FirstChances>()
    for (let i = 0; i < this.size; i++) {
      const gap = this.#gaps[i]!
      const chances = known.get(gap) ?? firstChances(masses, gap)
      known.set(gap, chances)
      const changed = this.#changed[i]!
      rows[2 * i] = changed ? chances.fresh : 1 - chances.fresh
      rows[2 * i + 1] = changed ? chances.any : 1 - chances.any
    }
    return rows
  }
}

interface FirstChances {
  readonly fresh: number
  readonly any: number
}

/** Chance of a change in a first gap: where a change has just sampled the rate, and in the long run. */
function firstChances(masses: Float64Array, gap: Seconds): FirstChances {
  const stirred = laws.changeRates.map((changeRate) => -Math.expm1(-changeRate * gap))
  let [fresh, any] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    const quick = stirred[laws.fast[law]!]!
    const unchanged = stirred[laws.slow[law]!]!
    fresh += masses[law]! * (unchanged + laws.share[law]! * (quick - unchanged))
    any += masses[law]! * (unchanged + laws.fastTime[law]! * (quick - unchanged))
  }
  return { fresh, any }
}

export interface NewShareOptions {
  /** Masses of the laws, as learned from all that pages showed. */
  readonly masses: Float64Array
  /** A share that counts as `strength` pages. */
  readonly towards: number
  readonly strength: number
}

/**
 * The share of a group's pages that are followed from their beginning, from
 * what their first gaps showed under the laws of the group: the likeliest
 * share, shrunk towards another. News articles are found when they are new, and
 * change most then; pages that someone lists are met at any moment of their
 * lives. The slope of the log likelihood falls all the way, so its root is
 * found by halving: EM would creep, as a first gap tells little.
 */
export function fitNewShare(
  logs: readonly FirstGaps[],
  { masses, towards, strength }: NewShareOptions,
): number {
  const rows = logs.map((log) => log.likelihoods(masses))
  const slope = (share: number) => {
    let total = strength * (towards / share - (1 - towards) / (1 - share))
    for (const row of rows)
      for (let at = 0; at < row.length; at += 2) {
        const chance = share * row[at]! + (1 - share) * row[at + 1]!
        if (chance > 0) total += (row[at]! - row[at + 1]!) / chance
      }
    return total
  }
  if (!(slope(least) > 0)) return least
  if (!(slope(1 - least) < 0)) return 1 - least
  return bisect(slope, { low: least, high: 1 - least })
}

/** Never quite none, never quite all: a group may come to be followed in another way. */
const least = 1e-3

export interface PriorPage {
  /** Pages thought to change alike: a host, a kind. */
  readonly group: string
  readonly history: History
}

export interface FitPriorOptions {
  /** For people: how it came about. */
  readonly how?: string
  /** As how many pages the whole counts in each group; 10 by default. */
  readonly strength?: number
  /** The law that the whole is shrunk towards, as 2% of the pages; every law alike by default. */
  readonly towards?: GroupChangeLaw
  /** Whether `towards` is the shipped law, so that its weight is named. */
  readonly shipped?: boolean
}

/** A law with what it rests on. */
interface FittedLaw extends GroupChangeLaw {
  readonly masses: Float64Array
  /** The masses on the fine grid. */
  readonly fine: Float64Array
  readonly evidence: ClockEvidence
}

/**
 * Learns what pages are like from their histories as they are, short and
 * censored: the masses of the laws by EM on a fine grid, then the hours of the
 * week under those masses where the gaps surely show any, then the masses
 * again on that clock; for the whole, and for each group shrunk towards the
 * whole. O(observations x laws x speeds).
 */
export function fitAutoPrior(pages: Iterable<PriorPage>, options: FitPriorOptions = {}): AutoPrior {
  const all = [...pages].filter(({ history }) => history.observations.length > 0)
  const { how = 'learned by EM', strength = 10, towards = openChangeLaw, shipped = false } = options
  const pull = Math.max(1, 0.02 * all.length)
  const base = { ...towards, fine: spreadMasses(towards.masses) }
  const whole = fitLaw(all, { towards: base, strength: pull })
  const groups: Record<string, GroupEntry> = {}
  for (const [group, own] of byGroup(all))
    groups[group] = entryOf(fitLaw(own, { towards: whole, strength }), { pages: own.length })
  const entry = {
    ...entryOf(whole, { pages: all.length }),
    ...(shipped ? { shipped: { pages: pull, share: pull / (pull + all.length) } } : {}),
  }
  return { format: 'revisit-auto-prior', version: 1, how, whole: entry, groups }
}

function entryOf(law: FittedLaw, about: { readonly pages: number }): GroupEntry {
  const { fine, evidence } = law
  const medianPeriod = Number(medianOfFine(fine).toPrecision(6))
  return { ...entryOfChangeLaw(law, about), medianPeriod, evidence }
}

/** The law of some pages, shrunk towards another. */
function fitLaw(
  pages: readonly PriorPage[],
  {
    towards,
    strength,
  }: { towards: GroupChangeLaw & { readonly fine: Float64Array }; strength: number },
): FittedLaw {
  const groups = [...byGroup(pages).values()]
  const first = fineMassesOn(pages, { towards, strength, clock: towards.clock })
  const law = { masses: summedMasses(first), clock: towards.clock }
  const logs = groups.map((own) => expectedLog(own, law))
  const evidence = clockEvidence(logs, towards.clock)
  const clock = clockBy(evidence, { logs, towards: towards.clock })
  const fine = clock === towards.clock ? first : fineMassesOn(pages, { towards, strength, clock })
  const masses = summedMasses(fine)
  const share = { masses, towards: towards.newShare ?? 0, strength }
  return { masses, fine, clock, evidence, newShare: fitNewShare(groups.map(firstGapsOf), share) }
}

/** The clock that is assumed, with the weekdays or hours that the gaps surely show to be others. */
function clockBy(
  { weekdayChance, hourChance }: ClockEvidence,
  { logs, towards }: { logs: readonly GapLog[]; towards: WeekClock },
): WeekClock {
  const [days, hours] = [isOther(weekdayChance), isOther(hourChance)]
  if (!days && !hours) return towards
  const fitted = fitWeekClock(logs, { towards })
  if (days && hours) return fitted
  return weekClock(
    days
      ? { weekdays: fitted.weekdays, hours: towards.hours }
      : { weekdays: towards.weekdays, hours: fitted.hours },
  )
}

function firstGapsOf(pages: readonly PriorPage[]): FirstGaps {
  const gaps = new FirstGaps()
  for (const { history } of pages) {
    const { start, observations } = splitUnchanged(history)
    if (start.contentAge === undefined && observations.length > 0) gaps.note(observations[0]!)
  }
  return gaps
}

/** What pages showed, on a clock: kept, since a group's pages are the whole's too. */
const fineRows = new WeakMap<History, { readonly clock: WeekClock; readonly row: Float64Array }>()

function fineMassesOn(
  pages: readonly PriorPage[],
  about: {
    towards: GroupChangeLaw & { readonly fine: Float64Array }
    strength: number
    clock: WeekClock
  },
): Float64Array {
  const { towards, strength, clock } = about
  const { masses, newShare = 0 } = towards
  const rows = pages.map(({ history }) => {
    const known = fineRows.get(history)
    if (known?.clock === clock) return known.row
    const row = fineRow(history, { clock, masses, newShare })
    fineRows.set(history, { clock, row })
    return row
  })
  return fitFineMasses(rows, { towards: towards.fine, strength })
}

/** Gaps kept of each group, so that a large one does not set everyone's clock. */
const groupRoom = 1500

/** What was expected before each visit, page by page. */
function expectedLog(pages: readonly PriorPage[], law: GroupChangeLaw): GapLog {
  const learner = autoLearner({ law })
  const log = new GapLog({ room: groupRoom })
  for (const { history } of pages) for (const seen of predictions(learner, history)) log.note(seen)
  return log
}

function byGroup(pages: readonly PriorPage[]): Map<string, PriorPage[]> {
  const groups = new Map<string, PriorPage[]>()
  for (const page of pages) {
    const own = groups.get(page.group) ?? []
    groups.set(page.group, own)
    own.push(page)
  }
  return groups
}
