import type { RecordedChanges } from '../../model/index.js'
import {
  type EvaluationRow,
  evaluateParts,
  type MeanRow,
  meanRows,
  type ReplayCollection,
  replayCollection,
} from '../../simulate/index.js'
import type { World } from '../world.js'
import { type EvaluateSettings, warmUp } from './settings.js'

/** Results on some of the pages. */
export interface EvaluatedPart {
  /** `exact` are the pages whose change times were not found by polling. */
  readonly pages: 'all' | 'exact'
  /** With the first seed: others may move a change out of the stretch that is replayed. */
  readonly size: { readonly pages: number; readonly sources: number; readonly changes: number }
  readonly rows: readonly MeanRow[]
}

/** The recorded changes; a collection of one's own is known only to a draw. */
export type ObjectsFor = (seed: number) => Promise<readonly RecordedChanges[]>

/**
 * Every contender with every budget and seed, once, on all pages. Those with
 * exact times, where only some have them, are shown apart, from the same runs.
 */
export async function runEvaluation(
  world: World,
  { objectsFor, settings }: { objectsFor: ObjectsFor; settings: EvaluateSettings },
): Promise<EvaluatedPart[]> {
  const { length, seeds, contenders, budgets, lastModified } = settings
  const total = seeds.length * contenders.length * budgets.length
  const progress = world.progress({ label: 'replaying', total, writes: false })
  let done = 0
  const onRun = () => progress.at(done++)
  const runs: EvaluationRow[][][] = []
  let sizes: Omit<EvaluatedPart, 'rows'>[] = []
  try {
    for (const seed of seeds) {
      const collection = replayCollection(await objectsFor(seed), { length, seed })
      const parts = partsOf(collection)
      const run = { seed, warmUp, lastModified }
      if (runs.length === 0)
        sizes = parts.map(({ pages, keep }) => ({ pages, size: sizeOf(collection, keep) }))
      const keep = parts.map((part) => part.keep)
      runs.push(evaluateParts(collection, { contenders, budgets, run, onRun, parts: keep }))
    }
  } finally {
    progress.stop()
  }
  return sizes.map((part, i) => ({ ...part, rows: meanRows(runs.map((rows) => rows[i]!)) }))
}

interface Part {
  readonly pages: 'all' | 'exact'
  readonly keep: (page: number) => boolean
}

function partsOf({ exact, ids }: ReplayCollection): Part[] {
  const count = exact.reduce((sum, each) => sum + each, 0)
  const all: Part = { pages: 'all', keep: () => true }
  if (count === 0 || count === ids.length) return [all]
  return [all, { pages: 'exact', keep: (page) => exact[page] === 1 }]
}

/** Pages, sources and changes of some pages of a collection. */
function sizeOf(
  { ids, sources, offsets }: ReplayCollection,
  keep: (page: number) => boolean,
): EvaluatedPart['size'] {
  const pages = ids.map((_, page) => page).filter(keep)
  return {
    pages: pages.length,
    sources: new Set(pages.map((page) => sources[page])).size,
    changes: pages.reduce((sum, page) => sum + offsets[page + 1]! - offsets[page]!, 0),
  }
}
