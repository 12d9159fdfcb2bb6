import type { DistributionMethod } from './distribution-estimate.js'
import { gM4 } from './g-m4.js'
import { m1 } from './m1.js'
import { m2 } from './m2.js'
import { m3 } from './m3.js'
import { m4 } from './m4.js'
import { m5, m5Runs } from './m5.js'
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
