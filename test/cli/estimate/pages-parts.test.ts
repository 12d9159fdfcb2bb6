import { describe, expect, it } from 'vitest'
import { type PagesPart, partByPart, partsFor } from '../../../src/cli/bulk/pages-parts.js'
import { EnvironmentError } from '../../../src/model/errors.js'

const engine = { anew: async () => {} }
const tooLarge = () => new EnvironmentError('out-of-memory', 'DuckDB needs more memory')

describe('parts of the pages', () => {
  it('are as many as memory asks for, one where all fit', () => {
    expect(partsFor(1e9, { memory: 1.2e9 })).toBe(1)
    expect(partsFor(1.01e9, { memory: 1.2e9 })).toBe(2)
    expect(partsFor(1e10, { memory: 1.2e9 })).toBe(10)
  })

  it('are halved where one does not fit, and have every page once', async () => {
    const done: number[] = []
    const take = async (part: PagesPart, share: (share: number) => void) => {
      if (part.index % 3 === 1 && part.of < 12) throw tooLarge()
      share(1)
      return part
    }
    const taken = await partByPart({ engine, of: 3 }, take, (share) => done.push(share))
    const takers = (hash: number) => taken.filter(({ index, of }) => hash % of === index).length
    for (let hash = 0; hash < 120; hash++) expect(takers(hash)).toBe(1)
    expect(taken.some(({ of }) => of === 12)).toBe(true)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(done.at(-1)).toBeCloseTo(1, 12)
  })

  it('are not halved for ever, nor for another reason', async () => {
    let tries = 0
    const fail = (error: Error) => async () => {
      tries++
      throw error
    }
    const never = partByPart({ engine, of: 1 }, fail(tooLarge()), () => {})
    await expect(never).rejects.toThrow('needs more memory')
    expect(tries).toBe(5)
    await expect(
      partByPart({ engine, of: 1 }, fail(new EnvironmentError('no-room', 'full')), () => {}),
    ).rejects.toThrow('full')
    expect(tries).toBe(6)
  })
})
