import type { Mind, PageState } from '../../engine/index.js'
import type { AutoLearner, GroupLaw } from '../../estimate/index.js'
import type { History } from '../../model/index.js'
import type { Objective } from '../../schedule/index.js'
import type { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'
import type { DueQueue } from './due-queue.js'

/** How far a page's replay is: before its first visit, while it is followed, once its time is over. */
export const stages = { ahead: 0, followed: 1, over: 2 } as const

/** The pages of a replay under the default, as its controller and its news see them. */
export interface ReplayedPages {
  readonly collection: ReplayCollection
  readonly scores: readonly Scores[]
  readonly states: readonly PageState[]
  readonly due: DueQueue
  /** One of `stages` for each page. */
  readonly stage: Uint8Array
  /** What visits are for. */
  readonly objective: Objective
  /** What a request costs now, in the objective's unit. */
  readonly price: number
  learnerOf(page: number): AutoLearner
  learnerOfSource(source: number): AutoLearner
  mindOf(page: number): Mind
  /** Another law for the pages of a source. */
  useLaw(source: number, law: GroupLaw): void
  /** A page's newest visits, as the crawler would read them back. */
  historyOf(page: number): { readonly history: History; readonly fromFirst: boolean }
  /** Whether a page is due because a neighbour changed. */
  isCalled(page: number): boolean
}
