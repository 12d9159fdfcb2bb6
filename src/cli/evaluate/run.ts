import type { RecordedChanges } from '../../model/index.js'
import {
  type EvaluationRow,
  evaluate,
  type ReplayCollection,
  replayCollection,
  subCollection,
} from '../../simulate/index.js'
import type { World } from '../world.js'
import { type EvaluateSettings, warmUp } from './settings.js'

/** Results on some of the pages. */
export interface EvaluatedPart {
  /** `exact` are the pages whose change times were not found by polling. */
  readonly pages: 'all' | 'exact'
  readonly collection: ReplayCollection
  readonly rows: readonly EvaluationRow[]
}

/** Every contender with every budget: on all pages, then on those with exact times if only some have them. */
export function runEvaluation(
  world: World,
  { objects, settings }: { objects: readonly RecordedChanges[]; settings: EvaluateSettings },
): EvaluatedPart[] {
  const { length, seed, contenders, budgets, lastModified } = settings
  const parts = partsOf(replayCollection(objects, { length, seed }))
  const total = parts.length * contenders.length * budgets.length
  const progress = world.progress({ label: 'replaying', total, writes: false })
  let done = 0
  const onRun = () => progress.at(done++)
  const run = { seed, warmUp, lastModified }
  try {
    return parts.map((part) => ({
      ...part,
      rows: evaluate(part.collection, { contenders, budgets, run, onRun }),
    }))
  } finally {
    progress.stop()
  }
}

function partsOf(collection: ReplayCollection): Omit<EvaluatedPart, 'rows'>[] {
  const exact = collection.exact.reduce((sum, each) => sum + each, 0)
  const all = { pages: 'all', collection } as const
  if (exact === 0 || exact === collection.ids.length) return [all]
  const some = subCollection(collection, (page) => collection.exact[page] === 1)
  return [all, { pages: 'exact', collection: some }]
}
