import { type History, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { runsOf, stretchesOf } from './stretches.js'

/**
 * Whether visits and changes keep step, so that no method can tell the law of
 * update gaps (a page that changes every hour, seen every two, looks the same as
 * one that changes every two).
 *
 * - `locked`: by `same-phase`, the changes fall at one phase of the visits, or
 *   by `periodic-pattern`, the times between seen changes repeat exactly
 * - `undecided`: visits keep a beat, and every gap changed, or too few changes
 * - `free`: gaps vary, or the changes do not keep to their beat
 */
export type PhaseLock = {
  readonly kind: 'locked' | 'undecided' | 'free'
  readonly evidence:
    | 'same-phase'
    | 'periodic-pattern'
    | 'every-gap-changed'
    | 'too-few-changes'
    | 'gaps-vary'
    | 'no-beat-kept'
  /** The beat of the visits: every gap is a whole multiple of it. Null where gaps vary. */
  readonly beat: Seconds | null
  /** The chance of such regularity if changes had nothing to do with the visits. */
  readonly chance: number
  /** What to do, in words; empty where there is nothing to do. */
  readonly advice: string
}

const vary =
  'visit at varied gaps (for instance sampled uniformly from 0 to twice the mean gap); equal gaps cannot tell this page from one that changes several times a gap'
const fewestChanges = 5
const unlikely = 1e-3
const longestPattern = 12

/**
 * Looks for a lock between visits and changes. Visits keep a beat if every gap
 * is a whole multiple of the shortest, within 1%. Where content ages are known,
 * the phases of the changes on that beat are tested for concentration
 * (Rayleigh's test, chance e^(-n R^2)); else, or where these are spread, the
 * whole-gap times between seen changes are searched for a pattern of up to 12
 * that repeats to the end, and `chance` is that of a memoryless page repeating it. O(n).
 *
 * Li, Cline & Loguinov 2015, section III-C (lattice, assumption 1).
 */
export function phaseLock(known: History): PhaseLock {
  const history = splitUnchanged(known)
  const beat = beatOf(history)
  if (beat === null) return { kind: 'free', evidence: 'gaps-vary', beat, chance: 1, advice: '' }
  const changes = history.observations.filter(({ changed }) => changed).length
  if (changes < fewestChanges)
    return { kind: 'undecided', evidence: 'too-few-changes', beat, chance: 1, advice: '' }
  const phase = samePhase(history, beat)
  if (phase !== null && phase < unlikely)
    return { kind: 'locked', evidence: 'same-phase', beat, chance: phase, advice: vary }
  if (changes === history.observations.length && phase === null)
    return { kind: 'undecided', evidence: 'every-gap-changed', beat, chance: 1, advice: vary }
  const chance = repeats(history)
  if (chance < unlikely)
    return { kind: 'locked', evidence: 'periodic-pattern', beat, chance, advice: vary }
  return { kind: 'free', evidence: 'no-beat-kept', beat, chance, advice: '' }
}

function beatOf({ observations }: History): Seconds | null {
  const shortest = observations.reduce((least, { gap }) => Math.min(least, gap), Infinity)
  if (!Number.isFinite(shortest)) return null
  const keeps = ({ gap }: { gap: Seconds }) =>
    Math.abs(gap / shortest - Math.round(gap / shortest)) <= 0.01
  return observations.every(keeps) ? shortest : null
}

/** Chance that changes at random phases are so concentrated; null where too few are known. */
function samePhase(history: History, beat: Seconds): number | null {
  let cosines = 0
  let sines = 0
  let count = 0
  for (const { times, changed, contentAges } of stretchesOf(history))
    for (let j = 0; j < changed.length; j++) {
      const contentAge = contentAges[j + 1]!
      if (changed[j] !== 1 || Number.isNaN(contentAge)) continue
      const phase = (2 * Math.PI * (times[j + 1]! - times[0]! - contentAge)) / beat
      cosines += Math.cos(phase)
      sines += Math.sin(phase)
      count++
    }
  if (count < fewestChanges) return null
  const resultant = Math.hypot(cosines, sines) / count
  return resultant > 0.9 ? Math.exp(-count * resultant ** 2) : 1
}

/** Chance that a memoryless page with this share of changes repeats its pattern so. */
function repeats(history: History): number {
  const { complete } = runsOf(stretchesOf(history))
  const share =
    history.observations.filter(({ changed }) => changed).length / history.observations.length
  for (let period = 1; period <= longestPattern && 2 * period <= complete.length; period++) {
    if (!complete.every((run, i) => i < period || run === complete[i - period])) continue
    let log = 0
    for (const run of complete.slice(period))
      log += Math.log(share) + (run - 1) * Math.log1p(-share)
    return Number.isNaN(log) ? 1 : Math.exp(log)
  }
  return 1
}
