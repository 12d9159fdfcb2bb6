import { type AgeingTest, ageingOfHistory } from '../../../estimators/law/ageing.js'
import { type Bands, bands } from '../../../estimators/law/bands.js'
import { concaveLaw } from '../../../estimators/law/concave-law.js'
import type {
  DistributionEstimate,
  DistributionMethod,
  DistributionOptions,
} from '../../../estimators/law/distribution.js'
import {
  type FlatRegion,
  type FlatSearch,
  fivePointLaw,
} from '../../../estimators/law/five-point-law.js'
import { type LawBounds, lawBounds } from '../../../estimators/law/law-bounds.js'
import { type LawRule, type PageLaw, pageLaw } from '../../../estimators/law/page-law.js'
import { type NoBounds, type Resampled, resampled } from '../../../estimators/law/resampled.js'
import { updateGapCdf } from '../../../estimators/law/update-law.js'
import type { History } from '../../../model/history.js'
import type { Seconds } from '../../../model/units.js'
import { Random } from '../../../numeric/random.js'

/** One way to tell both laws of a page: a method of the paper, or what suits the visits. */
export interface DistributionChoice {
  /** As a person asks for it; `automatic` where nothing was asked for. */
  readonly name: string
  /** What suits the visits where it is left out. */
  readonly method?: DistributionMethod
  /** Whether F_U is drawn by five-point derivatives rather than by the concave majorant. */
  readonly fivePoint: boolean
  /** Bins of M6, or the step of the five-point derivative. */
  readonly binWidth?: Seconds
  /** Bin widths among which the five-point law searches. */
  readonly search?: FlatSearch
}

export const automatic: DistributionChoice = { name: 'automatic', fivePoint: false }

/** What a history tells about the whole law of a page's changes. */
export interface PageDistribution extends PageLaw {
  readonly choice: DistributionChoice
  /** None where the method's curve is not the age distribution: bounds of chance alone would be false. */
  readonly contentAgeBands: Bands
  /** With the law itself between them where there is one. */
  readonly updateGapBounds: LawBounds
  readonly ageing: AgeingTest
  /** The bin widths that the five-point law tried. */
  readonly flat: FlatRegion | null
}

/**
 * Whether there is a curve that tells something: one fitted to visits that
 * always, or never, found a change is a straight line or a flat one.
 */
export function hasLaw(
  contentAges: DistributionEstimate,
): contentAges is Extract<DistributionEstimate, { kind: 'curve' }> {
  const { kind, verdict } = contentAges
  return kind === 'curve' && verdict !== 'always-changed' && verdict !== 'no-change-seen'
}

/** The bounds are sampled with the same numbers every time, so that a report can be made again. */
const seed = 1
/** Values that all bootstrap copies together may look at: about a second's work. */
const budget = 2e7
const fewestCopies = 20

/** All of it for one page, by one choice. */
export function pageDistribution(
  history: History,
  { level, choice = automatic }: { readonly level: number; readonly choice?: DistributionChoice },
): PageDistribution {
  let flat: FlatRegion | null = null
  const law: LawRule = (estimate) => {
    if (!choice.fivePoint) return concaveLaw(estimate)
    const { flat: found, ...updateLaw } = fivePointLaw(estimate, stepOf(choice))
    flat = found ?? null
    return updateLaw
  }
  const page = pageLaw(history, { ...methodOf(choice), law, ...binsOf(choice) })
  const known = curvesOf(history, { page, choice, level })
  const biased = page.contentAges.target.law === 'neither'
  const bounds = biased ? noBounds : lawBounds(known, page)
  return {
    ...page,
    choice,
    contentAgeBands: biased ? noBounds : bands(known),
    updateGapBounds: around(bounds, page),
    ageing: ageingOfHistory(history, { level }),
    flat,
  }
}

const noBounds: NoBounds = { kind: 'none', why: 'no-curve' }

/** The curves that bounds of a page rest on; none where they would cost more than about a second. */
export function curvesOf(
  history: History,
  { page, choice, level }: { page: PageLaw; choice: DistributionChoice; level: number },
): Resampled | NoBounds {
  const { contentAges, method } = page
  const copies = Math.min(200, Math.floor(budget / (1 + contentAges.samples)))
  if (copies < fewestCopies) return noBounds
  return resampled(history, method, {
    random: new Random(seed),
    level,
    copies,
    ...binsOf(choice),
  })
}

function methodOf({ method }: DistributionChoice): { readonly method?: DistributionMethod } {
  return method === undefined ? {} : { method }
}

/** The bin width is that of M6 unless it is the five-point law's step. */
function binsOf({ fivePoint, binWidth }: DistributionChoice): DistributionOptions {
  return fivePoint || binWidth === undefined ? {} : { binWidth }
}

function stepOf({ binWidth, search }: DistributionChoice) {
  return {
    ...(binWidth === undefined ? {} : { binWidth }),
    ...(search === undefined ? {} : { search }),
  }
}

/** A law is never shown outside of its bounds. */
function around(bounds: LawBounds, { updateGaps }: PageLaw): LawBounds {
  if (bounds.kind === 'none' || updateGaps.kind === 'none') return bounds
  const here = bounds.x.map((at) => updateGapCdf(updateGaps, at))
  const { changePeriod } = updateGaps
  return {
    ...bounds,
    low: bounds.low.map((low, i) => Math.min(low, here[i]!)),
    high: bounds.high.map((high, i) => Math.max(high, here[i]!)),
    changePeriod: {
      low: Math.min(bounds.changePeriod.low, changePeriod),
      high: Math.max(bounds.changePeriod.high, changePeriod),
    },
  }
}
