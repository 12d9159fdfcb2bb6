import type { FittedRates, FittedReading } from '../../estimators/prior/fitted-rates.js'
import { gridPrior } from '../../estimators/prior/grid-prior.js'
import type { RatePrior } from '../../estimators/prior/rate-prior.js'
import { RevisitError } from '../../model/errors.js'
import type { Json, Seconds } from '../../model/units.js'

/** Where the store keeps it. */
export const ratePriorSetting = 'rate-prior'

/** How `revisit prior fit` learns. */
export const fitMethods = ['em', 'pseudo-gaps', 'empirical'] as const
export type FitMethod = (typeof fitMethods)[number]

/** Two pseudo-gaps as they were fitted, for people and programs. */
interface FittedPair {
  readonly reading: FittedReading
  readonly changed: Seconds
  readonly unchanged: Seconds
  /** Distance from the law over its norm; 0 is a perfect fit. */
  readonly distance: number
  /** Annealing runs, and those that ended at the same fit. */
  readonly restarts: number
  readonly agreeing: number
  /** Whether two pseudo-gaps can be as wide as the law under this reading. */
  readonly reach: string
}

/** What Grimes & Ford's method assumes of a collection's pages before they are visited. Plain JSON. */
export interface StoredRates {
  readonly format: 'revisit-rate-prior'
  readonly version: 1
  readonly method: FitMethod
  /** How it came about, and whose pages they are in words that follow "pages like". */
  readonly how: string
  readonly from: string
  readonly pages: number
  /** Pages that were not seen to change often enough to count. */
  readonly unfinished: number
  /** What is followed: two pseudo-gaps by a reading, or the whole law. */
  readonly use: FittedReading | 'law'
  readonly law: { readonly periods: readonly number[]; readonly masses: readonly number[] }
  readonly fits: readonly FittedPair[]
  readonly firstGap: { readonly gap: Seconds; readonly deviation: Seconds }
}

/** What is said of a fit besides its numbers. */
type About = Pick<StoredRates, 'method' | 'how' | 'from' | 'pages' | 'unfinished' | 'use'>

/** Fitted rates as they are stored, to six digits. */
export function ratesToStore({ law, fits, firstGap }: FittedRates, about: About): StoredRates {
  return {
    format: 'revisit-rate-prior',
    version: 1,
    ...about,
    law: { periods: Array.from(law.periods, short), masses: Array.from(law.masses, short) },
    fits: fits.map(({ pseudoGaps, reading, distance, restarts, agreeing, reach }) => ({
      reading: reading as FittedReading,
      changed: short(pseudoGaps.changed),
      unchanged: short(pseudoGaps.unchanged),
      distance: short(distance),
      restarts,
      agreeing,
      reach,
    })),
    firstGap: { gap: short(firstGap.firstGap), deviation: short(firstGap.deviation) },
  }
}

/** What is stored; null where there is nothing, or nothing that can be followed: then the shipped one is. */
export function storedRates(stored: Json | undefined): StoredRates | null {
  const file = stored as unknown as StoredRates | null | undefined
  if (file?.format !== 'revisit-rate-prior' || file.version !== 1) return null
  try {
    const prior = fittedPrior(file)
    const numbers = prior.kind === 'law' ? [prior.firstGap] : Object.values(prior.pseudoGaps)
    const usable = numbers.every((each) => typeof each === 'number' && each > 0 && each < Infinity)
    return usable ? file : null
  } catch (error) {
    if (error instanceof RevisitError || error instanceof TypeError) return null
    throw error
  }
}

/** The prior that policy and learner follow, as it was fitted. */
export function fittedPrior({ law, fits, firstGap, use, from }: StoredRates): RatePrior {
  if (use === 'law')
    return { kind: 'law', from, law: gridPrior(law.periods, law.masses), firstGap: firstGap.gap }
  const { changed, unchanged } = fits.find(({ reading }) => reading === use)!
  return { kind: 'pseudo-gaps', from, pseudoGaps: { changed, unchanged } }
}

function short(value: number): number {
  return Number(value.toPrecision(6))
}
