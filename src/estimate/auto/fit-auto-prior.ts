import { type History, splitCalm } from '../../model/index.js'
import { memoryOf } from './auto.js'
import { autoLearner } from './auto-learner.js'
import { type AutoPrior, entryOfLaw, type GroupEntry } from './auto-prior.js'
import { FirstGaps, fitNewShare } from './first-gaps.js'
import { fitWeekClock } from './fit-clock.js'
import { fitMasses } from './fit-masses.js'
import { GapLog } from './gap-log.js'
import { type GroupLaw, openLaw } from './group-law.js'
import { chanceOfChange } from './outlook.js'

export interface PriorPage {
  /** Pages thought to change alike: a host, a kind. */
  readonly group: string
  readonly history: History
}

export interface FitPriorOptions {
  /** For people: how it came about. */
  readonly how?: string
  /** How many pages' worth the whole counts in each group; 10 unless said. */
  readonly strength?: number
  /** The law that the whole is drawn to, as 2% of the pages; every law alike unless said. */
  readonly towards?: GroupLaw
}

/**
 * Learns what pages are like from their histories as they are, short and
 * censored: the masses of the laws by EM, then the hours of the week under
 * those masses, then the masses again on that clock; for the whole, and for
 * each group drawn to the whole. O(observations x laws).
 */
export function fitAutoPrior(pages: Iterable<PriorPage>, options: FitPriorOptions = {}): AutoPrior {
  const all = [...pages].filter(({ history }) => history.observations.length > 0)
  const { how = 'learned by EM', strength = 10, towards = openLaw } = options
  const whole = fitLaw(all, { towards, strength: Math.max(1, 0.02 * all.length) })
  const groups: Record<string, GroupEntry> = {}
  for (const [group, own] of byGroup(all))
    groups[group] = entryOfLaw(fitLaw(own, { towards: whole, strength }), { pages: own.length })
  const entry = entryOfLaw(whole, { pages: all.length })
  return { format: 'revisit-auto-prior', version: 1, how, whole: entry, groups }
}

/** The law of some pages, drawn to another. */
export function fitLaw(
  pages: readonly PriorPage[],
  { towards, strength }: { towards: GroupLaw; strength: number },
): GroupLaw {
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
    const { start, observations } = splitCalm(history)
    if (start.contentAge === undefined && observations.length > 0) gaps.note(observations[0]!)
  }
  return gaps
}

function massesOn(
  histories: readonly History[],
  about: { towards: GroupLaw; strength: number; clock: GroupLaw['clock'] },
): Float64Array {
  const learner = autoLearner({ law: { ...about.towards, clock: about.clock } })
  const memories = histories.map((history) => memoryOf(history, learner))
  return fitMasses(memories, { towards: about.towards.masses, strength: about.strength })
}

/** Gaps kept of each group, so that a large one does not set everyone's clock. */
const groupRoom = 1500

/** What was expected before each visit, page by page. */
function expectedLog(pages: readonly PriorPage[], law: GroupLaw): GapLog {
  const learner = autoLearner({ law })
  const log = new GapLog({ room: groupRoom })
  const memory = new Float64Array(learner.size)
  for (const { history } of pages) {
    learner.start(memory, history.start.contentAge ?? Number.NaN)
    for (const { at, gap, changed, contentAge = Number.NaN } of splitCalm(history).observations) {
      const clockGap = learner.clockGap(memory, { at, gap })
      log.note({ at, gap, changed, chance: chanceOfChange(learner.belief(memory), clockGap) })
      learner.learn(memory, { at, gap, changed, contentAge })
    }
  }
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
