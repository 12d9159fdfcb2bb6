import { describe, expect, it } from 'vitest'
import {
  allocation,
  allocations,
  optimalFreshnessWithin,
} from '../../../src/schedule/allocation/index.js'
import { describeAllocation } from '../../contracts/allocation.js'

for (const each of allocations) describeAllocation(each)
describeAllocation(optimalFreshnessWithin({}))

describe('the registry', () => {
  it('finds by name, and lists what there is', () => {
    for (const each of allocations) expect(allocation(each.name)).toBe(each)
    expect(() => allocation('best')).toThrow(/"best".*optimal-freshness, azar, harmonic/)
  })
})
