import { pathToFileURL } from 'node:url'
import { detectionGapLearner } from '../dist/estimators/index.js'
import { poisson, runStudy } from '../dist/lab/index.js'
import { Random } from '../dist/numeric/index.js'
import { malcolmArmitage2 } from '../dist/policies/index.js'
import { eventQueueSimulation } from './event-queue.mjs'

/**
 * Malcolm & Armitage's Listing 2 over Poisson pages: simulated visits a second
 * of one core, and how many times as fast as a plain event queue on the same
 * pages. Runs alone too: node bench/simulate.mjs
 */

export const name = 'simulate'

const day = 86_400
const length = 120 * day
const wanted = 3_000_000
/** Malcolm & Armitage's change periods that 120 days can tell. */
const periods = [1 / 24, 1, 3, 10]
const planner = { policy: malcolmArmitage2(), learner: detectionGapLearner }

export async function run({ print }) {
  let [visits, seconds, plainVisits, plainSeconds] = [0, 0, 0, 0]
  warmUp()
  for (const days of periods) {
    const period = days * day
    const ours = timed(() => study({ period, pages: 20_000, seed: 1 }))
    const plain = timed(() => queue({ period, pages: 2_000 }))
    agree({ ours: ours.result, plain: plain.result, period })
    visits += ours.result.visits
    seconds += ours.seconds
    plainVisits += plain.result.visits
    plainSeconds += plain.seconds
  }
  const speed = visits / seconds
  const ratio = speed / (plainVisits / plainSeconds)
  print(
    `Listing 2 on ${periods.length * 20_000} Poisson pages, 120 days: ${visits} visits in ${seconds.toFixed(2)} s, ${Math.round(speed)} visits/s of one core (wanted: ${wanted})`,
  )
  print(
    `plain event queue, same pages: ${Math.round(plainVisits / plainSeconds)} visits/s; ratio ${ratio.toFixed(1)}`,
  )
  if (speed < wanted) throw new Error(`fewer than ${wanted} simulated visits a second`)
}

function study({ period, pages, seed }) {
  const tally = runStudy(
    { process: poisson({ period }), planner, lastModified: 'missing', length, seed },
    { from: 0, to: pages },
  )
  const { visits, estimates } = tally
  return { visits: visits.mean * pages, perPage: visits.mean, meanEstimate: estimates.mean }
}

function queue({ period, pages }) {
  const found = eventQueueSimulation({ pages, period, length, planner, random: new Random(2) })
  return { ...found, perPage: found.visits / pages }
}

/** Both simulate the same thing: means within 5%, far more than chance moves 2,000 pages. */
function agree({ ours, plain, period }) {
  for (const what of ['perPage', 'meanEstimate']) {
    if (Math.abs(ours[what] / plain[what] - 1) < 0.05) continue
    throw new Error(`${what} at ${period} s: ${ours[what]} here, ${plain[what]} by the event queue`)
  }
}

/** Compiles both before the clock runs. */
function warmUp() {
  study({ period: day, pages: 2_000, seed: 3 })
  queue({ period: day, pages: 200 })
}

/** Processor time, all threads of the process together: other programs on the machine do not count. */
function timed(work) {
  const begun = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(begun)
  return { result, seconds: (user + system) / 1e6 }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
