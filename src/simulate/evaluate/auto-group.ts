import { type HostNews, type Mind, noHostNews } from '../../engine/index.js'
import type { AutoLearner, GroupLaw } from '../../estimate/index.js'
import { autoPolicy } from '../../schedule/index.js'
import { LearningGroup, type SeenThen } from './learning-group.js'

/** Pages that are thought to change alike, with the law that their visits have taught so far, and the policy by it. */
export class AutoGroup {
  readonly pages: number[] = []
  /** What changes of one page told of the others. */
  news: HostNews = noHostNews
  mind: Mind
  readonly #lesson: LearningGroup
  readonly #price: () => number

  constructor({ law, price }: { readonly law: GroupLaw; readonly price: () => number }) {
    this.#lesson = new LearningGroup(law)
    this.#price = price
    this.mind = this.#mindNow()
  }

  get law(): GroupLaw {
    return this.#lesson.law
  }

  get learner(): AutoLearner {
    return this.#lesson.learner
  }

  /** Notes a visit for the group's hours, before the page takes it in. Gives the chance that a change had. */
  note(memory: Float64Array, seen: SeenThen): number {
    return this.#lesson.note(memory, seen)
  }

  /** Learns masses and clock anew, from the pages' memories and the gaps noted. */
  refresh(memories: readonly Float64Array[]): void {
    this.#lesson.refresh(memories)
    this.mind = this.#mindNow()
  }

  #mindNow(): Mind {
    const { clock } = this.law
    return { learner: this.learner, policy: autoPolicy({ clock, price: this.#price }) }
  }
}
