import { humanDuration, humanTime } from '../../model/duration.js'
import { type Estimate, periodRange, rangeWords } from '../../model/estimate.js'
import type { UnixSeconds } from '../../model/units.js'

export interface PageSummary {
  readonly estimate: Estimate
  /** When the last change was seen, or when the server dated it; null where none was. */
  readonly lastChange: UnixSeconds | null
}

/**
 * A page in one sentence: how often it changes and between which bounds, when
 * it last did, and how many visits were for nothing.
 */
export function pageSummary({ estimate, lastChange }: PageSummary): string {
  const { observations } = estimate.evidence
  if (observations === 0) return 'Seen less than twice, so nothing can be said of its changes yet.'
  const last = lastChange === null ? null : `last change seen ${day(lastChange)}`
  const parts = [opening(estimate), last, found(estimate)].filter((part) => part !== null)
  return `${parts.join('; ')}.`
}

function opening(estimate: Estimate): string {
  const { changePeriod, verdict, evidence } = estimate
  const range = periodRange(estimate.bounds)
  const watched = humanDuration(evidence.samplingPeriod)
  if (verdict === 'no-change-seen') {
    const least =
      range.shortest === null
        ? ''
        : `, so it changes less often than every ${humanDuration(range.shortest)}`
    return `No change seen in ${watched}${least}`
  }
  if (verdict === 'always-changed') {
    const most =
      range.longest === null
        ? ''
        : `, so it changes more often than every ${humanDuration(range.longest)}`
    return `A change at every visit${most}`
  }
  const words = rangeWords(range)
  const bounds = words === null ? '' : ` (${words})`
  if (changePeriod === null) return `How often it changes cannot be known${bounds}`
  if (changePeriod === 0) return `Changes faster than can be seen${bounds}`
  const caution = verdict === 'short-sampling' ? `, though it was watched for ${watched} only` : ''
  return `Changes about every ${humanDuration(changePeriod)}${bounds}${caution}`
}

function found({ evidence: { observations, changes } }: Estimate): string | null {
  const unchanged = observations - changes
  if (changes === 0 || unchanged === 0)
    return `${observations} ${observations === 1 ? 'visit' : 'visits'} after the first`
  const tenths = Math.round((10 * unchanged) / observations)
  if (observations < 10 || tenths === 0 || tenths === 10)
    return `${unchanged} of ${observations} visits found it unchanged`
  return `${tenths} ${tenths === 1 ? 'visit' : 'visits'} in 10 found it unchanged`
}

function day(at: UnixSeconds): string {
  return humanTime(at).replace(/T.*/, '')
}
