import { type HostNews, type Mind, noHostNews } from '../../engine/index.js'
import {
  type AutoLearner,
  autoLearner,
  fitMasses,
  fitWeekClock,
  GapLog,
  type GroupLaw,
} from '../../estimate/index.js'
import { autoPolicy } from '../../schedule/index.js'

/** How many pages' worth the first law counts when a group's own is learned. */
const strength = 10
/** Fewer gaps tell nothing of hours, and every clock costs some milliseconds. */
const enoughGaps = 100

/** Pages that are thought to change alike, with the law that their visits have taught so far. */
export class AutoGroup {
  readonly log = new GapLog()
  readonly pages: number[] = []
  law: GroupLaw
  /** What changes of one page told of the others. */
  news: HostNews = noHostNews
  learner!: AutoLearner
  mind!: Mind
  readonly #first: GroupLaw
  readonly #price: () => number

  constructor({ law, price }: { readonly law: GroupLaw; readonly price: () => number }) {
    this.#first = law
    this.#price = price
    this.law = law
    this.#adopt(law)
  }

  /** Learns masses and clock anew, from the pages' memories and the gaps noted. */
  refresh(memories: readonly Float64Array[]): void {
    const { masses: towards, clock } = this.#first
    const masses = fitMasses(memories, { towards, start: this.law.masses, strength, rounds: 20 })
    const known = this.log.size >= enoughGaps
    this.#adopt({
      masses,
      clock: known ? fitWeekClock([this.log], { towards: clock, start: this.law.clock }) : clock,
    })
  }

  #adopt(law: GroupLaw): void {
    this.law = law
    this.learner = autoLearner({ law })
    const policy = autoPolicy({ clock: law.clock, price: this.#price })
    this.mind = { learner: this.learner, policy }
  }
}
