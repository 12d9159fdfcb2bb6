import { type History, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { bisect } from '../../numeric/root.js'
import { autoLearner, memoryOf, predictions } from '../posterior/learner.js'
import { likelihoodsAt } from '../posterior/likelihoods.js'
import { type GroupChangeLaw, openChangeLaw } from '../posterior/posterior.js'
import { fitWeekClock, GapLog } from './fit-clock.js'
import { type AutoPrior, entryOfChangeLaw, type GroupEntry } from './prior.js'

export interface MassOptions {
  /** Masses that count as `strength` pages; evenly spread over the laws by default. */
  readonly towards?: Float64Array
  /** As how many pages `towards` counts; 2% of the pages by default. */
  readonly strength?: number
  /** Where to start; at `towards` by default. */
  readonly start?: Float64Array
  /** Rounds of EM; 40 by default: further ones only sharpen spikes. */
  readonly rounds?: number
}

/**
 * The masses of the laws under which pages are likeliest, from their memories
 * alone: EM for a mixture, shrunk towards other masses. A group of few pages ends
 * near those, a large one near its own. O(pages x laws) a round.
 *
 * Laird 1978.
 */
export function fitMasses(
  memories: Iterable<Float64Array>,
  options: MassOptions = {},
): Float64Array {
  const rows = [...memories].map(lawRow)
  const towards = options.towards ?? new Float64Array(laws.size).fill(1 / laws.size)
  const strength = options.strength ?? Math.max(1e-6, 0.02 * rows.length)
  return mixedMasses(rows, { ...options, towards, strength })
}

/** The likelihood of each law, whatever the rate. */
export function lawRow(memory: Float64Array): Float64Array {
  const row = new Float64Array(laws.size)
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2)
    row[law] = memory[at]! + memory[at + 1]!
  return row
}

/** EM on rows of likelihoods, for callers that keep them. */
export function mixedMasses(
  rows: Iterable<Float64Array>,
  {
    towards,
    strength,
    start = towards,
    rounds = 40,
  }: MassOptions & { towards: Float64Array; strength: number },
): Float64Array {
  const masses = Float64Array.from(start)
  const pull = new Float64Array(masses.length)
  for (let round = 0; round < rounds; round++) {
    pull.fill(0)
    let pages = 0
    for (const row of rows) {
      let total = 0
      for (let law = 0; law < row.length; law++) total += masses[law]! * row[law]!
      if (!(total > 0)) continue
      pages++
      const scale = 1 / total
      for (let law = 0; law < row.length; law++) pull[law]! += row[law]! * scale
    }
    for (let law = 0; law < masses.length; law++)
      masses[law] = (masses[law]! * pull[law]! + strength * towards[law]!) / (pages + strength)
  }
  return masses
}

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
}

/**
 * Learns what pages are like from their histories as they are, short and
 * censored: the masses of the laws by EM, then the hours of the week under
 * those masses, then the masses again on that clock; for the whole, and for
 * each group shrunk towards the whole. O(observations x laws).
 */
export function fitAutoPrior(pages: Iterable<PriorPage>, options: FitPriorOptions = {}): AutoPrior {
  const all = [...pages].filter(({ history }) => history.observations.length > 0)
  const { how = 'learned by EM', strength = 10, towards = openChangeLaw } = options
  const whole = fitLaw(all, { towards, strength: Math.max(1, 0.02 * all.length) })
  const groups: Record<string, GroupEntry> = {}
  for (const [group, own] of byGroup(all))
    groups[group] = entryOfChangeLaw(fitLaw(own, { towards: whole, strength }), {
      pages: own.length,
    })
  const entry = entryOfChangeLaw(whole, { pages: all.length })
  return { format: 'revisit-auto-prior', version: 1, how, whole: entry, groups }
}

/** The law of some pages, shrunk towards another. */
function fitLaw(
  pages: readonly PriorPage[],
  { towards, strength }: { towards: GroupChangeLaw; strength: number },
): GroupChangeLaw {
  const histories = pages.map((page) => page.history)
  const first = massesOn(histories, { towards, strength, clock: towards.clock })
  const law = { masses: first, clock: towards.clock }
  const logs = [...byGroup(pages).values()].map((own) => expectedLog(own, law))
  const clock = fitWeekClock(logs, { towards: towards.clock })
  const masses = massesOn(histories, { towards, strength, clock })
  const firstGaps = [...byGroup(pages).values()].map(firstGapsOf)
  const share = { masses, towards: towards.newShare ?? 0, strength }
  return { masses, clock, newShare: fitNewShare(firstGaps, share) }
}

function firstGapsOf(pages: readonly PriorPage[]): FirstGaps {
  const gaps = new FirstGaps()
  for (const { history } of pages) {
    const { start, observations } = splitUnchanged(history)
    if (start.contentAge === undefined && observations.length > 0) gaps.note(observations[0]!)
  }
  return gaps
}

function massesOn(
  histories: readonly History[],
  about: { towards: GroupChangeLaw; strength: number; clock: GroupChangeLaw['clock'] },
): Float64Array {
  const learner = autoLearner({ law: { ...about.towards, clock: about.clock } })
  const memories = histories.map((history) => memoryOf(history, learner))
  return fitMasses(memories, { towards: about.towards.masses, strength: about.strength })
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
