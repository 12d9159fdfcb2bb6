import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../dist/numeric/index.js'
import { optimalFreshness } from '../dist/policies/allocation/optimal-freshness.js'

/**
 * Optimal allocation of visits: 1,000,000 pages against numpy's Newton on the
 * same input, in turns, and 10,000,000 pages alone. One thread each; the best
 * of several runs. PYTHON names the interpreter (python3 if unset).
 */

export const name = 'allocation'

const SEED = 20_040
const VISITS_PER_PAGE = 0.2
const TURNS = 3
const RUNS_A_TURN = 4
const script = fileURLToPath(new URL('allocation_numpy.py', import.meta.url))

export async function run({ print }) {
  const pages = collection(1_000_000)
  const budget = VISITS_PER_PAGE * 1_000_000
  const input = storeInput(pages)
  try {
    const { ours, numpy } = compare({ pages, budget, input })
    print(`optimal freshness, 1,000,000 pages: ${report(ours)}`)
    if (numpy.absent === undefined) printNumpy(print, { ours, numpy })
    else print(`numpy: not compared (${numpy.absent})`)
    const large = tenMillion()
    print(`optimal freshness, 10,000,000 pages: ${report(large)}, ${large.memory}`)
    return { ours, numpy, large }
  } finally {
    rmSync(input.folder, { recursive: true })
  }
}

/** Change periods around a week and importance around 1, both lognormal. */
function collection(count) {
  const random = new Random(SEED)
  const changeRates = new Float64Array(count)
  const weights = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    changeRates[i] = Math.exp(1.5 * random.normal()) / 7
    weights[i] = Math.exp(random.normal())
  }
  return { changeRates, weights }
}

function storeInput({ changeRates, weights }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const path = join(folder, 'pages.f64')
  writeFileSync(path, Buffer.concat([changeRates, weights].map((each) => Buffer.from(each.buffer))))
  return { folder, path }
}

/** In turns, so that a busy moment of the machine falls on both. */
function compare({ pages, budget, input }) {
  const into = new Float64Array(pages.changeRates.length)
  let ours = { seconds: Infinity }
  let numpy = { seconds: Infinity }
  for (let turn = 0; turn < TURNS; turn++) {
    ours = faster(ours, bestOf({ pages, budget, into }))
    const theirs = runNumpy({ path: input.path, count: into.length, budget })
    if (theirs.absent !== undefined) return { ours, numpy: theirs }
    numpy = faster(numpy, theirs)
  }
  return { ours, numpy }
}

const faster = (a, b) => (b.seconds < a.seconds ? b : a)

function bestOf({ pages, budget, into }) {
  let best = { seconds: Infinity }
  for (let i = 0; i < RUNS_A_TURN; i++) {
    const begun = performance.now()
    const { multiplier, freshness, spent } = optimalFreshness.allocate(pages, { budget }, { into })
    const seconds = (performance.now() - begun) / 1000
    best = faster(best, { seconds, multiplier, freshness, spent, budget, count: into.length })
  }
  return best
}

function runNumpy({ path, count, budget }) {
  const python = process.env.PYTHON ?? 'python3'
  const args = [script, path, String(count), String(budget), String(RUNS_A_TURN)]
  const done = spawnSync(python, args, { encoding: 'utf8' })
  if (done.error !== undefined) return { absent: `${python} cannot be started` }
  if (done.status !== 0)
    return { absent: `${python} failed: ${done.stderr.trim().split('\n').at(-1)}` }
  return JSON.parse(done.stdout)
}

function report({ seconds, spent, budget, count, freshness }) {
  const perPage = ((seconds / count) * 1e9).toFixed(0)
  const error = Math.abs(spent / budget - 1).toExponential(0)
  return `${(seconds * 1000).toFixed(0)} ms (${perPage} ns a page; budget met to ${error}; freshness ${freshness.toFixed(4)})`
}

function printNumpy(print, { ours, numpy }) {
  const apart = Math.abs(ours.multiplier / numpy.multiplier - 1).toExponential(0)
  const ratio = (numpy.seconds / ours.seconds).toFixed(1)
  print(
    `numpy ${numpy.numpy}, Newton, same input and tolerance: ${(numpy.seconds * 1000).toFixed(0)} ms ` +
      `(${numpy.rounds} rounds over all pages; freshness ${numpy.freshness.toFixed(4)}; prices ${apart} apart)`,
  )
  print(`ratio: ${ratio} times as fast as numpy (goal: 2)`)
}

/** Memory: the columns and the result are 24 bytes a page; the rest is the runtime and the method's lists. */
function tenMillion() {
  const pages = collection(10_000_000)
  // Filled, as pages of memory that nobody touched are not resident yet.
  const into = new Float64Array(10_000_000).fill(1)
  const before = process.memoryUsage().rss
  const budget = VISITS_PER_PAGE * 10_000_000
  const best = bestOf({ pages, budget, into })
  const { rss } = process.memoryUsage()
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`
  const held = megabytes(24 * 10_000_000)
  return {
    ...best,
    memory: `${megabytes(rss)} resident, of them ${held} input and result; ${megabytes(Math.max(0, rss - before))} more than before the runs`,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await run({ print: (line) => console.log(line) })
}
