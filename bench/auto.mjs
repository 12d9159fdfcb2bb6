import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readRecordedChanges } from '../dist/formats/change-times/recorded-changes.js'
import {
  autoContender,
  boundsCoverage,
  calibrationKinds,
  predictedFreshness,
  replayCollection,
  Scores,
} from '../dist/lab/index.js'
import { Random } from '../dist/numeric/index.js'
import { autoLearner, bestGap, defaultChangeLaw } from '../dist/planner/index.js'

/**
 * The default: time and bytes of an observation and of a choice of gap; bounds
 * and predicted freshness on pages of known laws; and, where the recorded
 * histories are at hand (REVISIT_SHARED, or ../shared), the time to evaluate
 * them with three budgets. Runs alone too: node bench/auto.mjs
 */

export const name = 'auto'

const day = 86_400
const wanted = { microseconds: 10, bytes: 2048, seconds: 120 }

export async function run({ print }) {
  speed(print)
  calibration(print)
  evaluation(print)
}

function speed(print) {
  const learner = autoLearner()
  const memory = learner.newMemory()
  const random = new Random(1)
  const gaps = Float64Array.from({ length: 4096 }, () => 5 * day * random.uniform())
  const seen = { at: 1.7e9, gap: 0, changed: false, contentAge: Number.NaN }
  const learn = (times) => {
    learner.start(memory, Number.NaN)
    for (let i = 0; i < times; i++) {
      seen.gap = gaps[i & 4095]
      seen.at += seen.gap
      seen.changed = (i & 3) === 0
      learner.learn(memory, seen)
    }
  }
  const problem = { price: 6 * 3600, objective: 'freshness', clock: defaultChangeLaw.clock }
  const out = { gap: 0, chance: 0, value: 0 }
  const choose = (times) => {
    for (let i = 0; i < times; i++)
      bestGap(learner.posterior(memory), { at: i * 977, problem, out })
  }
  const one = microseconds(learn, 200_000)
  const two = microseconds(choose, 50_000)
  print(`an observation: ${one.toFixed(2)} microseconds (wanted: ${wanted.microseconds})`)
  print(`a choice of gap: ${two.toFixed(2)} microseconds`)
  print(`a page: ${8 * learner.size} bytes (wanted: ${wanted.bytes})`)
  if (one > wanted.microseconds) throw new Error('an observation takes too long')
  if (8 * learner.size > wanted.bytes) throw new Error('a page takes too many bytes')
}

function calibration(print) {
  const observations = [10, 30, 100]
  print(
    `share of bounds of level 0.9 that hold the truth, after ${observations.join(', ')} observations; freshness predicted and true`,
  )
  for (const kind of calibrationKinds) {
    const shares = boundsCoverage({ kind, pages: 600, seed: 11, observations })
    const fresh = predictedFreshness({
      kind,
      pages: 300,
      seed: 12,
      price: 6 * 3600,
      length: 180 * day,
    })
    print(
      `  ${kind.padEnd(12)} ${shares.map((share) => share.toFixed(3)).join('  ')}   ${fresh.predicted.toFixed(4)} ${fresh.realised.toFixed(4)}`,
    )
  }
}

function evaluation(print) {
  const folder = join(
    process.env.REVISIT_SHARED ?? join(import.meta.dirname, '../../shared'),
    'traces',
  )
  if (!existsSync(folder)) {
    print(`evaluation: absent, no ${folder}`)
    return
  }
  const times = gunzipSync(readFileSync(join(folder, 'updates.csv.gz'))).toString()
  const objects = readFileSync(join(folder, 'objects.csv'), 'utf8')
  const collection = replayCollection(readRecordedChanges({ times, objects }), { seed: 1 })
  let seconds = 0
  for (const perDay of [0.05, 0.2, 1]) {
    const took = cpuSeconds(() => {
      const { scores } = autoContender.compete({
        collection,
        perDay,
        run: { seed: 1, warmUp: 30 * day },
      })
      const all = new Scores()
      for (const each of scores) all.add(each)
      print(`  ${perDay} a page and day: fresh ${all.freshness.toFixed(4)}`)
    })
    seconds += took
  }
  print(
    `evaluation of ${collection.ids.length} pages x 365 days x 3 budgets: ${seconds.toFixed(1)} s of one core (wanted: ${wanted.seconds})`,
  )
  if (seconds > wanted.seconds) throw new Error('the evaluation takes too long')
}

/** Processor time of a call, other programs not counted; after a warm-up. */
function microseconds(work, times) {
  work(times / 10)
  return (cpuSeconds(() => work(times)) * 1e6) / times
}

function cpuSeconds(work) {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1e6
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
