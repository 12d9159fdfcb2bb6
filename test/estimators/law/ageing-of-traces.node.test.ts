import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { weibullGaps } from '../../../src/estimators/law/weibull-gaps.js'
import { Random } from '../../../src/numeric/random.js'
import { absent, sharedPath } from '../../fixtures/shared-folder.js'

const objectsPath = sharedPath('traces/objects.csv')
const updatesPath = sharedPath('traces/updates.csv.gz')
const there = objectsPath !== undefined && updatesPath !== undefined

/** Cells from the end, for a path may hold commas. */
function objects(): Map<string, { until: number; cadence: number; polled: boolean }> {
  const [, ...lines] = readFileSync(objectsPath!, 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const cells = line.trim().split(',')
      const fromEnd = (k: number) => cells[cells.length - k]!
      const cadence = Number(fromEnd(3))
      return [
        cells[0]!,
        { until: Number(fromEnd(5)), cadence, polled: cadence > 0 && fromEnd(2) === 'yes' },
      ]
    }),
  )
}

function updates(): Map<string, number[]> {
  const [, ...lines] = gunzipSync(readFileSync(updatesPath!)).toString().trim().split('\n')
  const out = new Map<string, number[]>()
  for (const line of lines) {
    const cut = line.lastIndexOf(',')
    const id = line.slice(0, cut)
    const times = out.get(id)
    if (times === undefined) out.set(id, [Number(line.slice(cut + 1))])
    else times.push(Number(line.slice(cut + 1)))
  }
  return out
}

describe('the real histories', () => {
  it.skipIf(!there)(`are NWU, NBU or near Poisson in the shares told (${absent})`, () => {
    const random = new Random(1)
    const count = { NWU: 0, NBU: 0, memoryless: 0 }
    const shapes: number[] = []
    const about = objects()
    for (const [id, times] of updates()) {
      const { until, cadence, polled } = about.get(id)!
      // The first time is the start of the record. Polled times are up to one cadence late.
      const spread = times.map((at, i) => (polled && i > 0 ? at - random.uniform() * cadence : at))
      spread.sort((a, b) => a - b)
      const gaps = spread.slice(1).map((at, i) => at - spread[i]!)
      const fit = weibullGaps(gaps, { open: Math.max(0, until - spread[spread.length - 1]!) })
      if (fit.kind === 'none') continue
      count[fit.ageing]++
      shapes.push(fit.shape)
    }
    const all = shapes.length
    expect(all).toBeGreaterThan(3000)
    // The traces' README: 63 / 13 / 23% over all sources; 3 points of room for the draw and the cut of short records.
    expect(Math.abs((100 * count.NWU) / all - 63)).toBeLessThan(3)
    expect(Math.abs((100 * count.NBU) / all - 13)).toBeLessThan(3)
    expect(Math.abs((100 * count.memoryless) / all - 23)).toBeLessThan(3)
    // The same README: the median shape is 0.66.
    expect(Math.abs(shapes.sort((a, b) => a - b)[all >> 1]! - 0.66)).toBeLessThan(0.03)
  })
})
