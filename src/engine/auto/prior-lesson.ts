import {
  type AutoPrior,
  autoLearner,
  chanceOfChange,
  defaultLaw,
  entryOfLaw,
  FirstGaps,
  fitNewShare,
  fitWeekClock,
  GapLog,
  type GroupEntry,
  type GroupLaw,
  lawRow,
  mixedMasses,
} from '../../estimate/index.js'
import { DAY, type History, splitCalm } from '../../model/index.js'

/** Rows kept for all groups together: 16 MB. */
const mostRows = 20_000
/** Groups that get a law of their own: those with most pages; and a clock, those with most gaps. */
const mostGroups = 200
const mostClocks = 8
const fewestPages = 5
const fewestGaps = 2_000
/** How many pages' worth the law above counts. */
const strength = 10
const rounds = 30

interface Gathered {
  readonly rows: Float64Array[]
  /** Made once a history comes: it holds room for 4,000 gaps. */
  log: GapLog | null
  readonly firstGaps: FirstGaps
}

export interface GatherOptions {
  /** Pages that are to come, so that an even sample of them is kept. */
  readonly pages: number
}

/**
 * What a collection's own pages teach of their laws and hours, gathered page
 * by page and learned in slices: nothing holds the loop up for more than some
 * milliseconds, and memory is bounded. Masses by EM on the pages' memories,
 * hours of the week on the histories of some; groups are drawn to the whole,
 * the whole to what ships.
 */
export class PriorLesson {
  readonly #groups = new Map<string, Gathered>()
  readonly #stride: number
  readonly #law: GroupLaw
  readonly #learner: ReturnType<typeof autoLearner>
  #met = 0
  pages = 0

  constructor({ pages }: GatherOptions, law: GroupLaw = defaultLaw) {
    this.#stride = Math.max(1, Math.ceil(pages / mostRows))
    this.#law = law
    this.#learner = autoLearner({ law })
  }

  /** The memory of one page that was compared at least once. */
  add(group: string, memory: Float64Array): void {
    if (this.#met++ % this.#stride !== 0) return
    this.pages++
    this.#of(group).rows.push(lawRow(memory))
  }

  /**
   * A page's history, for the hours in which its group changes and, where it
   * goes back to the first visit, for how pages come to be followed.
   * O(observations).
   */
  addHistory(
    group: string,
    history: History,
    { fromFirst }: { readonly fromFirst: boolean },
  ): void {
    const own = this.#of(group)
    const { start, observations } = splitCalm(history)
    if (fromFirst && start.contentAge === undefined && observations.length > 0)
      own.firstGaps.note(observations[0]!)
    own.log ??= new GapLog({ room: 4_000 })
    const { log } = own
    const memory = new Float64Array(this.#learner.size)
    this.#learner.start(memory, start.contentAge ?? Number.NaN)
    for (const { at, gap, changed, contentAge = Number.NaN } of observations) {
      const chance = chanceOfChange(this.#learner.belief(memory), gap)
      if (gap < 8 * DAY) log.note({ at, gap, changed, chance })
      this.#learner.learn(memory, { at, gap, changed, contentAge })
    }
  }

  /** The prior, by group; `pause` is awaited between slices. */
  async learn({
    how,
    pause,
  }: {
    readonly how: string
    readonly pause: () => Promise<void>
  }): Promise<AutoPrior> {
    const all = [...this.#groups.values()]
    const rows = all.flatMap((each) => each.rows)
    const towards = this.#law
    const pull = Math.max(strength, 0.02 * rows.length)
    const masses = await slowly(rows, { towards: towards.masses, strength: pull, pause })
    const clock = fitWeekClock(
      all.flatMap((each) => each.log ?? []),
      { towards: towards.clock },
    )
    await pause()
    const newShare = fitNewShare(
      all.map((each) => each.firstGaps),
      { masses, towards: towards.newShare ?? 0, strength: pull },
    )
    const whole = { masses, clock, newShare }
    const groups = await this.#learnGroups(whole, pause)
    const entry = entryOfLaw(whole, { pages: rows.length })
    return { format: 'revisit-auto-prior', version: 1, how, whole: entry, groups }
  }

  async #learnGroups(
    whole: GroupLaw,
    pause: () => Promise<void>,
  ): Promise<Record<string, GroupEntry>> {
    const large = [...this.#groups]
      .filter(([, { rows }]) => rows.length >= fewestPages)
      .sort((a, b) => b[1].rows.length - a[1].rows.length)
      .slice(0, mostGroups)
    const withHours = new Set(
      [...large]
        .filter(([, { log }]) => log !== null && log.size >= fewestGaps)
        .sort((a, b) => b[1].log!.size - a[1].log!.size)
        .slice(0, mostClocks)
        .map(([group]) => group),
    )
    const groups: Record<string, GroupEntry> = {}
    for (const [group, { rows, log, firstGaps }] of large) {
      const masses = await slowly(rows, { towards: whole.masses, strength, pause })
      const own = withHours.has(group)
        ? fitWeekClock([log!], { towards: whole.clock })
        : whole.clock
      const share = { masses, towards: whole.newShare ?? 0, strength }
      const newShare = fitNewShare([firstGaps], share)
      groups[group] = entryOfLaw({ masses, clock: own, newShare }, { pages: rows.length })
    }
    return groups
  }

  #of(group: string): Gathered {
    const known = this.#groups.get(group)
    if (known !== undefined) return known
    const made = { rows: [], log: null, firstGaps: new FirstGaps() }
    this.#groups.set(group, made)
    return made
  }
}

/** EM round by round, with a pause after each. */
async function slowly(
  rows: readonly Float64Array[],
  about: { towards: Float64Array; strength: number; pause: () => Promise<void> },
): Promise<Float64Array> {
  const { towards, strength, pause } = about
  let masses = towards
  for (let round = 0; round < rounds; round++) {
    masses = mixedMasses(rows, { towards, strength, start: masses, rounds: 1 })
    if (rows.length > 500) await pause()
  }
  return masses
}
