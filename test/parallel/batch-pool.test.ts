import { afterAll, describe, expect, it } from 'vitest'
import { batchMethods, estimateBatch } from '../../dist/estimate/batch/index.js'
import { InputError, OptionError } from '../../dist/model/index.js'
import { estimateInParallel, openBatchPool, sharedColumns } from '../../dist/parallel/index.js'
import { Random } from '../../src/numeric/index.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.
const pools = [1, 2, 3].map((threads) => openBatchPool({ threads }))
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
})

/** Pages of 0 to 60 observations: enough for several shares of work. */
function manyPages(pages: number) {
  const random = new Random(3)
  const offsets = new Uint32Array(pages + 1)
  for (let page = 0; page < pages; page++) offsets[page + 1] = offsets[page]! + random.below(61)
  const total = offsets[pages]!
  const gaps = Float64Array.from({ length: total }, () => 86400 * random.exponential() + 1)
  const changed = Uint8Array.from({ length: total }, () => (random.below(3) === 0 ? 1 : 0))
  return { offsets, gaps, changed }
}
const columns = manyPages(60_000)

describe('a batch on threads', () => {
  it.each(batchMethods)('gives the bytes of one thread for %s', async (method) => {
    const alone = estimateBatch({ columns, method })
    for (const pool of pools) {
      const { changeRates, verdicts } = await pool.estimate({ columns, method })
      expect(Buffer.compare(bytes(changeRates), bytes(alone.changeRates))).toBe(0)
      expect(Buffer.compare(bytes(verdicts), bytes(alone.verdicts))).toBe(0)
    }
  })

  it('is there as one call that leaves no thread behind', async () => {
    const { changeRates } = await estimateInParallel({ columns, threads: 2 })
    expect(Buffer.compare(bytes(changeRates), bytes(estimateBatch({ columns }).changeRates))).toBe(
      0,
    )
    const none = {
      offsets: new Uint32Array(1),
      gaps: new Float64Array(),
      changed: new Uint8Array(),
    }
    expect((await estimateInParallel({ columns: none, threads: 1 })).verdicts).toHaveLength(0)
  })

  it('copies columns into shared memory once, and not at all if they are there', () => {
    const shared = sharedColumns(columns)
    expect(shared.gaps.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(Buffer.compare(bytes(shared.gaps), bytes(columns.gaps))).toBe(0)
    const again = sharedColumns(shared)
    expect(again.gaps).toBe(shared.gaps)
    expect(again.offsets).toBe(shared.offsets)
    expect(again.changed).toBe(shared.changed)
  })

  it('carries the error of the first page at fault over, with class and code', async () => {
    const bent = { ...columns, gaps: columns.gaps.slice() }
    const last = columns.gaps.length - 1
    bent.gaps[last] = -1
    bent.gaps[7] = Number.NaN
    const page = columns.offsets.findIndex((offset) => offset > 7) - 1
    for (const pool of pools) {
      const error = await pool.estimate({ columns: bent }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(InputError)
      expect(error).toMatchObject({ code: 'bad-gap' })
      expect(String(error)).toContain(`page ${page}, `)
    }
  })

  it('refuses what cannot be before any thread works', async () => {
    expect(() => openBatchPool({ threads: 0 })).toThrow(OptionError)
    const method = 'crystal-ball' as never
    await expect(pools[0]!.estimate({ columns, method })).rejects.toThrow(/no batch method/)
    const short = { ...columns, changed: columns.changed.subarray(1) }
    await expect(pools[0]!.estimate({ columns: short })).rejects.toThrow(/changed flags/)
  })
})

function bytes(array: Float64Array | Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}
