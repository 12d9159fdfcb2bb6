import { describe, expect, it } from 'vitest'
import { LruMap } from '../../src/model/lru-map.js'

describe('LruMap', () => {
  it('keeps the last half at least, and never more than it may', () => {
    const kept = new LruMap<number>({ most: 10 })
    for (let i = 0; i < 100; i++) {
      kept.set(`${i}`, i)
      const known = Array.from({ length: i + 1 }, (_, key) => key)
      const there = known.slice(-5).map((key) => kept.get(`${key}`))
      expect(there).toEqual(known.slice(-5))
    }
    const all = Array.from({ length: 100 }, (_, key) => kept.get(`${key}`))
    expect(all.filter((value) => value !== undefined).length).toBeLessThanOrEqual(10)
  })

  it('keeps what is asked for', () => {
    const kept = new LruMap<string>({ most: 4 })
    kept.set('asked', 'yes')
    for (let i = 0; i < 50; i++) {
      kept.set(`${i}`, 'other')
      expect(kept.get('asked')).toBe('yes')
    }
    expect(kept.get('0')).toBeUndefined()
  })
})
