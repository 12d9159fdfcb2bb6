import type { DistributionMethod } from './distribution.js'
import { m1, m2 } from './m1-m2.js'
import { gM4, m3, m4, m5, m5Runs } from './m3-m5.js'
import { m6 } from './m6.js'

/** Every distribution method, in the paper's order. */
export const distributionMethods: readonly DistributionMethod[] = [
  m1,
  m2,
  m3,
  m4,
  m5,
  m5Runs,
  gM4,
  m6,
]
