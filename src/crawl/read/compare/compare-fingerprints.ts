import type { Likeness } from '../../../model/index.js'
import { bitsApart } from './simhash.js'
import { triggered } from './trigger.js'

/**
 * How two fingerprints compare. What stands before the colon says by which
 * rules one was made: those of other rules cannot be compared, so that a change
 * of rules is never taken for one of the page.
 *
 * Near-duplicates count as the same within a threshold, and the one kept stays
 * that of the last content that counted as a change: a page that drifts a bit
 * at a time is far enough from it in the end, and is seen.
 */
export function compareFingerprints(before: string, after: string): Likeness {
  if (before === after) return 'same'
  const [rules, value] = parted(before)
  const [otherRules, otherValue] = parted(after)
  if (rules !== otherRules) return 'incomparable'
  const bits = /^n(\d+)\./.exec(rules)?.[1]
  if (bits !== undefined && /^[\da-f]{16}$/.test(value) && /^[\da-f]{16}$/.test(otherValue))
    return bitsApart(value, otherValue) <= Number(bits) ? 'same' : 'different'
  if (rules.startsWith('w.')) return triggered(value, otherValue) ? 'different' : 'quiet'
  return 'different'
}

function parted(fingerprint: string): readonly [string, string] {
  const colon = fingerprint.indexOf(':')
  return [fingerprint.slice(0, Math.max(0, colon)), fingerprint.slice(colon + 1)]
}
