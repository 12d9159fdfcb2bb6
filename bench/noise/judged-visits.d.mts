import type { Mask } from '../../src/content/noise/masks.js'
import type { Fetcher } from '../../src/model/fetcher.js'
import type { Clock, Json } from '../../src/model/units.js'
import type { VisitRecord } from '../../src/model/visit-record.js'
import type { NoisyPage } from './noisy-pages.mjs'

export interface Judged {
  readonly visits: number
  /** Visits that a true change went before. */
  readonly changes: number
  readonly false: number
  /** Of the false ones those after the first ten visits. */
  readonly falseLater: number
  readonly missed: number
  readonly requests: number
  readonly bytes: number
  readonly faults: readonly VisitRecord[]
  readonly masks: readonly Mask[]
}

export function judgedVisits(
  revisit: object,
  options: {
    page: NoisyPage
    visits: number
    reading?: Json
    noiseCheck: boolean
    /** Further settings of the page. */
    settings?: Readonly<Record<string, Json>>
    random: () => number
    fetcher?: Fetcher
    delay?: number
    url?: string
  },
): Promise<Judged>

export function jumpingClock(): Clock & { busy: () => boolean }
