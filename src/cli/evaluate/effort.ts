import { DAY, type RecordedChanges } from '../../model/index.js'
import type { EvaluateSettings } from './settings.js'

/** What is run without asking. */
export const evaluateLimits = {
  visits: 2e9,
  bytes: 2e9,
  words: 'about 2,000,000,000 simulated visits (some ten minutes) or 2 GB of memory',
} as const

/** A rule is run about so often until its factor is found. */
const runsOfRule = 10
/** A learner's memory, scores, a timeline. */
const bytesPerPage = 2_500
/** A change's time, its place in the order of the clairvoyant, and when it was noticed. */
const bytesPerChange = 60

export interface EvaluateEffort {
  readonly visits: number
  readonly bytes: number
}

/** What an evaluation will cost, from pages x days x visits a day x runs. */
export function evaluateEffort(
  objects: readonly RecordedChanges[],
  { length, budgets, contenders, seeds }: EvaluateSettings,
): EvaluateEffort {
  const days = objects.reduce(
    (sum, { from, until }) => sum + Math.min(length, until - from) / DAY,
    0,
  )
  const changes = objects.reduce((sum, each) => sum + each.changes.length, 0)
  const perDay = budgets.reduce((sum, each) => sum + each, 0)
  const runs = contenders.reduce((sum, { kind }) => sum + (kind === 'rule' ? runsOfRule : 1), 0)
  // Shared-out budgets go over every page each day.
  const mornings = 0.2 * days * budgets.length * contenders.length
  return {
    visits: seeds.length * (days * perDay * runs + mornings),
    bytes: objects.length * bytesPerPage + changes * bytesPerChange,
  }
}

/** Why to ask first; undefined where there is no reason. */
export function tooMuch({ visits, bytes }: EvaluateEffort): string | undefined {
  if (visits > evaluateLimits.visits)
    return `this takes about ${visits.toExponential(1)} simulated visits, more than ${evaluateLimits.words}`
  if (bytes > evaluateLimits.bytes)
    return `this takes about ${(bytes / 1e9).toFixed(1)} GB, more than ${evaluateLimits.words}`
  return undefined
}
