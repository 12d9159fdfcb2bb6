import {
  autoLearner,
  chanceOfChange,
  FirstGaps,
  fitNewShare,
  fitWeekClock,
  GapLog,
  type GroupLaw,
  lawRow,
  mixedMasses,
  openLaw,
} from '../../estimate/index.js'
import { DAY, type Seconds } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay } from './page-replay.js'

/** Gaps at which the others' pages are visited to learn from: odd, so that all hours are met. */
const trainingGaps: readonly Seconds[] = [0.34 * DAY, 2.06 * DAY, 12.1 * DAY, 30.3 * DAY]
const mostVisits = 400
/** Gaps kept of each source, so that a large source does not set everyone's clock. */
const room = 1500

const fitted = new WeakMap<ReplayCollection, readonly GroupLaw[]>()

/**
 * For each source the law that all the other sources' pages teach: masses by
 * EM on what visits at four gaps would have told, a clock of the week on the
 * same, and from the first gaps how many pages are followed from their beginning. With more than thirty sources whole lots are left out. With a single source there is none to learn from: every law alike.
 */
export function lawsElsewhere(collection: ReplayCollection): (source: number) => GroupLaw {
  const laws = fitted.get(collection) ?? learnedLaws(collection)
  fitted.set(collection, laws)
  return (source) => laws[source]!
}

interface Training {
  readonly rows: Float64Array[]
  readonly log: GapLog
  readonly firstGaps: FirstGaps
}

/** Sources are left out one by one up to so many, in as many lots beyond. */
const mostLots = 30

function learnedLaws(collection: ReplayCollection): readonly GroupLaw[] {
  const lots = Math.min(mostLots, collection.sourceNames.length)
  const trained = collection.sourceNames.map(
    (): Training => ({ rows: [], log: new GapLog({ room }), firstGaps: new FirstGaps() }),
  )
  for (let page = 0; page < collection.ids.length; page++) {
    const lesson = trained[collection.sources[page]!]!
    for (const gap of trainingGaps) train(collection, { ...lesson, page, gap })
  }
  const laws = Array.from({ length: lots }, (_, lot) =>
    taughtBy(trained.filter((each, source) => source % lots !== lot && each.rows.length > 0)),
  )
  return collection.sourceNames.map((_, source) => laws[source % lots]!)
}

function taughtBy(others: readonly Training[]): GroupLaw {
  const rows = others.flatMap((each) => each.rows)
  if (rows.length === 0) return openLaw
  const strength = 0.02 * rows.length
  const masses = mixedMasses(rows, { towards: openLaw.masses, strength })
  const logs = others.map((each) => each.log)
  const firstGaps = others.map((each) => each.firstGaps)
  return {
    masses,
    clock: fitWeekClock(logs, { towards: openLaw.clock }),
    newShare: fitNewShare(firstGaps, { masses, towards: openLaw.newShare!, strength }),
  }
}

const learner = autoLearner({ law: openLaw })
const memory = new Float64Array(learner.size)
const seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }

/** Visits one page at equal gaps; its likelihoods are a row, its gaps go to the log. */
function train(
  collection: ReplayCollection,
  { page, gap, rows, log, firstGaps }: { page: number; gap: Seconds } & Training,
): void {
  const timeline = new PageReplay(collection, page)
  const until = collection.until[page]!
  learner.start(memory, Number.NaN)
  seen.at = collection.from[page]!
  seen.gap = gap
  let visits = 0
  for (; seen.at + gap <= until && visits < mostVisits; visits++) {
    seen.at += gap
    seen.changed = timeline.advance(seen.at)
    if (visits === 0) firstGaps.note(seen)
    log.note({ ...seen, chance: chanceOfChange(learner.belief(memory), gap) })
    learner.learn(memory, seen)
  }
  if (visits > 0) rows.push(lawRow(memory))
}
