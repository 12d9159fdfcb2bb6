import { pathToFileURL } from 'node:url'
import { distributionMethods, m6, m6Bins } from '../dist/estimators/index.js'
import { Random } from '../dist/numeric/index.js'

export const name = 'distribution'

const visits = 100_000
const bins = { binWidth: 0.05, upTo: 20 }

/** Pareto updates (alpha 3, beta 1) seen at exponential or equal gaps of mean 1. */
function history({ random, equal }) {
  let [last, next, at] = [0, 0, 0]
  const observations = []
  for (let i = 1; i < visits; i++) {
    const begin = at
    at += equal ? 1 : random.exponential()
    let changed = false
    while (next <= at) {
      last = next
      next += random.positive() ** (-1 / 3) - 1
      changed = true
    }
    observations.push({ at, gap: at - begin, changed, contentAge: at - last })
  }
  return { start: { at: 0, contentAge: 0 }, observations }
}

/** The paper's count over all pairs. */
function quadratic({ start, observations }, { binWidth, count }) {
  const times = Float64Array.from([start, ...observations], ({ at }) => at)
  const runs = new Int32Array(times.length)
  observations.forEach(({ changed }, i) => {
    runs[i + 1] = runs[i] + (changed ? 1 : 0)
  })
  const pairs = new Float64Array(count)
  const withChange = new Float64Array(count)
  for (let i = 0; i < times.length; i++)
    for (let j = i + 1; j < times.length; j++) {
      const bin = Math.ceil((times[j] - times[i]) / binWidth)
      if (bin > count) continue
      pairs[bin - 1] += 1
      if (runs[i] !== runs[j]) withChange[bin - 1] += 1
    }
  return { pairs, withChange }
}

function timed(work) {
  const begin = performance.now()
  const result = work()
  return { result, ms: performance.now() - begin }
}

/** Median of five, after one call to warm up. */
function median(work) {
  work()
  const times = Array.from({ length: 5 }, () => timed(work).ms).sort((a, b) => a - b)
  return times[2]
}

const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i])

export async function run({ print }) {
  const spread = history({ random: new Random(1), equal: false })
  const even = history({ random: new Random(1), equal: true })

  print(`M6: ${visits} visits, bins of ${bins.binWidth} up to ${bins.upTo}`)
  const sweep = m6Bins(spread, bins)
  const sweepMs = median(() => m6.estimate(spread, bins))
  const all = timed(() => quadratic(spread, { ...bins, count: sweep.pairs.length }))
  const identical =
    same(sweep.pairs, all.result.pairs) && same(sweep.withChange, all.result.withChange)
  const ratio = all.ms / sweepMs
  print(`  all pairs ${all.ms.toFixed(0)} ms, sweep ${sweepMs.toFixed(1)} ms`)
  print(`  ${ratio.toFixed(0)} times as fast, counts ${identical ? 'identical' : 'DIFFERENT'}`)

  print('cost of each method, in nanoseconds an observation')
  for (const method of distributionMethods) {
    const given = method.needsEqualGaps ? even : spread
    const options = method === m6 ? bins : undefined
    const ms = median(() => method.estimate(given, options))
    print(`  ${method.name.padEnd(8)} ${((ms * 1e6) / visits).toFixed(0).padStart(6)}`)
  }
  if (!identical) throw new Error('M6: the sweep and the count over all pairs differ')
  if (ratio < 100) throw new Error(`M6: only ${ratio.toFixed(0)} times as fast as all pairs`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run({ print: console.log })
