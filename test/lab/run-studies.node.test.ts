import { describe, expect, it } from 'vitest'
import { runStudies } from '../../dist/lab/study/study-threads.js'
import { OptionError } from '../../dist/model/index.js'
import type { StudySpec } from '../../src/lab/study/study.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.
const about = { pages: 333, length: 60 * 86_400, seed: 7 }
const specs: StudySpec[] = [
  { process: 'poisson:period=3d', policy: 'malcolm-armitage-2', ...about },
  { process: 'pareto:period=1d', policy: 'random-gaps-exponential', ...about, pages: 1 },
  { process: 'weibull', policy: 'malcolm-armitage-1', lastModified: 'random', ...about },
]

describe('studies on threads', () => {
  it('give the same bytes from 1, 2 and 3 threads', async () => {
    const text = async (threads: number) => JSON.stringify(await runStudies(specs, { threads }))
    const alone = await text(1)
    expect(JSON.parse(alone)).toHaveLength(3)
    expect(await text(2)).toBe(alone)
    expect(await text(3)).toBe(alone)
  })

  it.each([1, 2])('tell how far they are, on %s', async (threads) => {
    const seen: number[] = []
    await runStudies(specs, { threads, onPages: (done) => seen.push(done) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(333 + 1 + 333)
  })

  it('refuse what cannot be before any thread starts', async () => {
    await expect(runStudies(specs, { threads: 0 })).rejects.toThrow(OptionError)
    const bad = [...specs, { ...specs[0]!, process: 'poisson:period=0s' }]
    await expect(runStudies(bad, { threads: 2 })).rejects.toThrow(/poisson: period is 0/)
  })
})
