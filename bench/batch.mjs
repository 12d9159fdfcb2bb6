/**
 * The batch MLE against numpy's vectorised Newton: the same columns, the same
 * start (the lower bound ln(1 + S/U) L / S), the same tolerance (the last step,
 * as a share of the rate), in the same run; best of several on each side. Each
 * side has its own arithmetic within that: numpy sums exponentials (see
 * batch_numpy.py), the batch sums powers once (see estimate/batch/near-series).
 *
 * BENCH_PAGES sets the number of pages, PYTHON the interpreter.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { estimateBatch, newBatchEstimates, stepTolerance } from '../dist/estimate/batch/index.js'
import { bisect, Random } from '../dist/numeric/index.js'
import { openBatchPool, sharedColumns } from '../dist/parallel/index.js'

export const name = 'batch'

const rounds = 7
const perPage = 50

export async function run({ print }) {
  const pages = Number(process.env.BENCH_PAGES ?? 1_000_000)
  const columns = sharedColumns(makeColumns({ pages, seed: 1 }))
  const share = columns.changed.reduce((sum, flag) => sum + flag, 0) / columns.changed.length
  print(`${count(pages)} pages of ${perPage} observations, ${(100 * share).toFixed(1)}% changed`)
  const into = newBatchEstimates(pages)
  const before = timeBatch({ columns, into })
  const numpy = timeNumpy({ columns, pages })
  const alone = Math.min(before, timeBatch({ columns, into }))
  print(`one thread             ${speed({ pages, seconds: alone })}`)
  if (numpy.missing !== undefined) print(`numpy                  not measured: ${numpy.missing}`)
  else reportNumpy({ print, pages, alone, numpy, into })
  print(
    `from a bisection       ${farthestFromBisection({ columns, into }).toExponential(1)} at most`,
  )
  await reportThreads({ print, columns, into, alone })
  for (const method of ['bias-reduced', 'intuitive'])
    print(`${method.padEnd(22)} ${speed({ pages, seconds: timeBatch({ columns, into, method }) })}`)
}

/**
 * Poisson pages at exponential gaps whose mean is each page's own, from an hour
 * to a month; half a change a mean gap, so that a third of the gaps see one.
 */
function makeColumns({ pages, seed }) {
  const random = new Random(seed)
  const offsets = new Uint32Array(pages + 1)
  const gaps = new Float64Array(pages * perPage)
  const changed = new Uint8Array(pages * perPage)
  for (let page = 0, i = 0; page < pages; page++) {
    const meanGap = 3600 * 720 ** random.uniform()
    for (let k = 0; k < perPage; k++, i++) {
      const gap = Math.max(1e-3, random.exponential())
      gaps[i] = gap * meanGap
      changed[i] = random.uniform() < -Math.expm1(-0.5 * gap) ? 1 : 0
    }
    offsets[page + 1] = i
  }
  return { offsets, gaps, changed }
}

function timeBatch({ columns, into, method = 'irregular-mle' }) {
  let best = Infinity
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    estimateBatch({ columns, into, method })
    best = Math.min(best, performance.now() - start)
  }
  return best / 1000
}

/** `{ seconds, rates, ... }`, or `{ missing }` with the reason why there is no measure. */
function timeNumpy({ columns, pages }) {
  const python = process.env.PYTHON ?? 'python3'
  const probe = spawnSync(python, ['-c', 'import numpy'], { encoding: 'utf8' })
  if (probe.error !== undefined) return { missing: `${python} does not start; set PYTHON` }
  if (probe.status !== 0)
    return { missing: `${python} has no numpy (install python3-numpy, or set PYTHON)` }
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  try {
    writeFileSync(join(folder, 'offsets.u32'), columns.offsets)
    writeFileSync(join(folder, 'gaps.f64'), columns.gaps)
    writeFileSync(join(folder, 'changed.u8'), columns.changed)
    const script = join(dirname(fileURLToPath(import.meta.url)), 'batch_numpy.py')
    const args = [script, folder, String(stepTolerance), String(rounds)]
    const done = spawnSync(python, args, { encoding: 'utf8' })
    if (done.status !== 0) return { missing: `batch_numpy.py failed: ${done.stderr.trim()}` }
    const rates = new Float64Array(pages)
    new Uint8Array(rates.buffer).set(readFileSync(join(folder, 'rates.f64')))
    return { ...JSON.parse(done.stdout), rates }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function reportNumpy({ print, pages, alone, numpy, into }) {
  let apart = 0
  for (let page = 0; page < pages; page++)
    apart = Math.max(apart, Math.abs(into.changeRates[page] / numpy.rates[page] - 1))
  print(
    `numpy ${numpy.numpy.padEnd(16)} ${speed({ pages, seconds: numpy.seconds })}, ${numpy.rounds.toFixed(2)} rounds a page, chunks of ${numpy.chunk}`,
  )
  print(`times as fast as numpy ${(numpy.seconds / alone).toFixed(2)} (at least 2.5 wanted)`)
  print(`from numpy's rates     ${apart.toExponential(1)} at most`)
}

/** Largest relative difference from the root by bisection, over every fiftieth page. */
function farthestFromBisection({ columns: { offsets, gaps, changed }, into }) {
  let farthest = 0
  for (let page = 0; page + 1 < offsets.length; page += 50) {
    const seen = []
    let unseen = 0
    for (let i = offsets[page]; i < offsets[page + 1]; i++) {
      if (changed[i] === 1) seen.push(gaps[i])
      else unseen += gaps[i]
    }
    if (seen.length === 0 || unseen === 0) continue
    const ratio = Math.log1p(seen.reduce((sum, gap) => sum + gap, 0) / unseen)
    const excess = (changeRate) =>
      seen.reduce((sum, gap) => sum + gap / Math.expm1(changeRate * gap), -unseen)
    const root = bisect(excess, { low: ratio / Math.max(...seen), high: ratio / Math.min(...seen) })
    farthest = Math.max(farthest, Math.abs(into.changeRates[page] / root - 1))
  }
  return farthest
}

async function reportThreads({ print, columns, into, alone }) {
  const pages = columns.offsets.length - 1
  const pool = openBatchPool({ threads: 2 })
  try {
    let best = Infinity
    let same = true
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      const { changeRates } = await pool.estimate({ columns })
      best = Math.min(best, (performance.now() - start) / 1000)
      same &&= Buffer.compare(bytes(changeRates), bytes(into.changeRates)) === 0
    }
    print(
      `two threads            ${speed({ pages, seconds: best })}, ${(alone / best).toFixed(2)} times one, ${same ? 'identical bytes' : 'DIFFERENT BYTES'}`,
    )
  } finally {
    await pool.close()
  }
}

function bytes(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}

function speed({ pages, seconds }) {
  return `${count(pages / seconds)} pages/s (${(1e9 * (seconds / pages)).toFixed(0)} ns a page)`
}

function count(value) {
  return Math.round(value).toLocaleString('en-US')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
