import { OptionError, type Policy } from '../model/index.js'
import { autoPolicy } from './auto/index.js'
import { barrelPolicy } from './barrels.js'
import { fixed, typicalCrawler } from './fixed.js'
import { grimesFord } from './grimes-ford.js'
import { malcolmArmitage } from './malcolm-armitage.js'
import { malcolmArmitage1 } from './malcolm-armitage-1.js'
import { malcolmArmitage2 } from './malcolm-armitage-2.js'
import { nutch } from './nutch.js'
import { randomGaps } from './random-gaps.js'
import { singh } from './singh.js'
import { stormCrawler } from './storm-crawler.js'

export * from './allocation/index.js'
export { type AllowedHours, nextAllowed, parseAllowedHours } from './allowed-hours.js'
export * from './auto/index.js'
export { type Barrel, barrelOf, barrelPolicy, barrels } from './barrels.js'
export { fixed, typicalCrawler } from './fixed.js'
export { type GapLimits, heldLimits, usualLimits } from './gap-limits.js'
export { type GrimesFordOptions, grimesFord } from './grimes-ford.js'
export { hintWords } from './hint-words.js'
export { limited } from './limited.js'
export { malcolmArmitage } from './malcolm-armitage.js'
export { type Listing1Options, malcolmArmitage1 } from './malcolm-armitage-1.js'
export { type Listing2Options, malcolmArmitage2 } from './malcolm-armitage-2.js'
export { nutch } from './nutch.js'
export * from './plan/index.js'
export { type PolicyKind, policyKinds, policyOf } from './policy-kinds.js'
export { randomGaps } from './random-gaps.js'
export { type SinghOptions, singh } from './singh.js'
export { stormCrawler } from './storm-crawler.js'
export { withHints } from './with-hints.js'

/** Every policy with its default settings. */
export const policies: readonly Policy[] = [
  autoPolicy(),
  fixed(),
  typicalCrawler,
  malcolmArmitage1(),
  malcolmArmitage2(),
  malcolmArmitage(),
  grimesFord(),
  singh(),
  barrelPolicy(),
  barrelPolicy({ exact: true }),
  nutch,
  stormCrawler,
  randomGaps(),
  randomGaps({ law: 'uniform' }),
]

/** The policy of that name. */
export function policyNamed(name: string): Policy {
  const found = policies.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = policies.map((each) => each.name).join(', ')
  throw new OptionError('unknown-policy', `there is no policy "${name}"; there are: ${known}`)
}
