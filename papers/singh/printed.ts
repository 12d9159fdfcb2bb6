import { readPublished } from '../read-published.js'
import type { ContenderName } from './contenders.js'

/** The two sets of the paper. */
export type PrintedSet = 'synthetic' | 'real'

/** The numbers of published.json. Errors in square days: total, constant, increasing, decreasing. */
interface PrintedNumbers {
  readonly table1: Record<
    PrintedSet,
    Record<ContenderName, readonly [number, number, number, number]>
  >
  readonly table2: Record<
    PrintedSet,
    Record<ContenderName, { readonly best: number } & Partial<Record<ContenderName, number>>>
  >
  readonly table3: Record<
    PrintedSet,
    { readonly updates: number } & Record<ContenderName, PrintedReplay>
  >
  /** Observed by Weibull with alpha = 0.7. */
  readonly alpha: number
}

export interface PrintedReplay {
  readonly unobserved: number
  readonly observed: number
  readonly premature: number
}

export const published = readPublished(import.meta.url)
export const printed = published.numbers as unknown as PrintedNumbers
