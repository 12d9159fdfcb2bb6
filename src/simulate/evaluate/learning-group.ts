import {
  type AutoLearner,
  autoLearner,
  chanceOfChange,
  FirstGaps,
  fitMasses,
  fitNewShare,
  fitWeekClock,
  GapLog,
  type GroupLaw,
} from '../../estimate/index.js'
import type { Seconds, UnixSeconds } from '../../model/index.js'

/** How many pages' worth the first law counts when a group's own is learned. */
const strength = 10
/** Fewer gaps tell nothing of hours, and every clock costs some milliseconds. */
const enoughGaps = 100

/** One visit of a page of the group, with its time. */
export interface SeenThen {
  readonly at: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
  /** Whether it ends the first gap of a page that told no content age. */
  readonly isFirst: boolean
}

/** The law of pages that are thought to change alike: what was known first, and what their visits have taught so far. */
export class LearningGroup {
  law: GroupLaw
  learner: AutoLearner
  readonly #log = new GapLog()
  readonly #firstGaps = new FirstGaps()
  readonly #first: GroupLaw

  constructor(law: GroupLaw) {
    this.#first = law
    this.law = law
    this.learner = autoLearner({ law })
  }

  /** Chance that a visit sees a change, by what the page's memory holds before it. */
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number {
    return chanceOfChange(this.learner.belief(memory), this.learner.clockGap(memory, next))
  }

  /** Notes a gap for the group's hours, before the memory takes it in. Gives the chance that a change had. */
  note(memory: Float64Array, { at, gap, changed, isFirst }: SeenThen): number {
    const chance = this.chance(memory, { at, gap })
    if (Number.isFinite(at)) this.#log.note({ at, gap, changed, chance })
    if (isFirst) this.#firstGaps.note({ gap, changed })
    return chance
  }

  /** Learns masses and clock anew, from the pages' memories and the gaps noted. */
  refresh(memories: readonly Float64Array[]): void {
    const { masses: towards, clock, newShare = 0 } = this.#first
    const masses = fitMasses(memories, { towards, start: this.law.masses, strength, rounds: 20 })
    const known = this.#log.size >= enoughGaps
    this.law = {
      masses,
      newShare: fitNewShare([this.#firstGaps], { masses, towards: newShare, strength }),
      clock: known ? fitWeekClock([this.#log], { towards: clock, start: this.law.clock }) : clock,
    }
    this.learner = autoLearner({ law: this.law })
  }
}
