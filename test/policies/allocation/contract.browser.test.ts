import { azar, harmonic } from '../../../src/policies/allocation/closed-form.js'
import { optimalFreshness } from '../../../src/policies/allocation/optimal-freshness.js'
import { proportional } from '../../../src/policies/allocation/proportional.js'
import { describeAllocation } from '../../contracts/allocation.js'
import { equal } from '../../fixtures/equal-allocation.js'

for (const each of [optimalFreshness, azar, harmonic, equal, proportional]) describeAllocation(each)
