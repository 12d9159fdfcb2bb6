import { DAY, HOUR, type Json, type UnixSeconds } from '../../model/index.js'
import { type Objective, overTheWeek, type PlanPage, priceForBudget } from '../../schedule/index.js'
import type { Census } from './census.js'

/** All that keeping a budget remembers between two looks: stored with the collection. */
export interface Steering {
  /** What a request costs. */
  readonly price: number
  /** When it was set, and when this budget began. */
  readonly at: UnixSeconds
  readonly began: UnixSeconds
  /** The budget and the number of pages it was set for. */
  readonly requestsPerDay: number
  readonly pages: number
  /** Visits allowed since it began, and those made before. */
  readonly allowed: number
  readonly spentBefore: number
}

export interface SteeringNow {
  readonly census: Census
  readonly requestsPerDay: number
  readonly now: UnixSeconds
  /** An even sample of the pages that follow the default. */
  readonly sample: readonly PlanPage[]
  readonly objective: Objective
}

/** Nothing more than so many days' requests are owed or forgiven: a crawler that was off does not rush. */
const mostOwed = 3
/** What was spent too much or too little is made good over so many days: a week has calm days. */
const settling = 7
/** From the third day on the price goes only half of the way at a time. */
const youth = 2 * DAY

/**
 * The price of a request from now on: the one at which a sample of the pages
 * as they stand, with their limits, importance and own policies, asks for the
 * budget on the mean of a week, with what is owed from before.
 */
export function steered(before: Steering | null, about: SteeringNow): Steering {
  const { census, requestsPerDay, now } = about
  const fresh = before === null || moved(before, about)
  const began = fresh ? now : before.began
  const spentBefore = fresh ? census.spent : before.spentBefore
  const passed = fresh ? 0 : Math.min(2 * DAY, Math.max(0, now - before.at))
  const most = mostOwed * requestsPerDay
  const spent = census.spent - spentBefore
  const earned = (fresh ? 0 : before.allowed) + (requestsPerDay * passed) / DAY
  const allowed = Math.min(spent + most, Math.max(spent - most, earned))
  const found = priceNow(about, { owed: allowed - spent, from: before?.price })
  const young = before === null || now - began < youth
  const price = young ? found : Math.sqrt(found * before.price)
  return { price, at: now, began, requestsPerDay, pages: census.pages, allowed, spentBefore }
}

function moved(before: Steering, { census, requestsPerDay }: SteeringNow): boolean {
  return (
    apart(before.requestsPerDay, requestsPerDay) || apart(before.pages, Math.max(1, census.pages))
  )
}

function apart(one: number, other: number): boolean {
  return !(one / other < 1.25 && other / one < 1.25)
}

function priceNow(
  { census, sample, objective, requestsPerDay }: SteeringNow,
  { owed, from }: { owed: number; from: number | undefined },
): number {
  if (sample.length === 0) return from ?? usualPrice
  // Pages with policies of their own have had theirs; a tenth is left to the others in any case.
  const others = DAY * census.plannedByOthers
  const budget = Math.max(0.1 * requestsPerDay, requestsPerDay - others)
  const wanted = Math.min(2 * budget, Math.max(0.5 * budget, budget + owed / settling))
  const visitsPerDay = (wanted * sample.length) / Math.max(1, census.pages)
  const search = { visitsPerDay, objective, from: from ?? usualPrice }
  return priceForBudget(overTheWeek(sample), search)
}

/** Before anything is known: six hours of freshness. */
export const usualPrice = 6 * HOUR

const fields = [
  'price',
  'at',
  'began',
  'requestsPerDay',
  'pages',
  'allowed',
  'spentBefore',
] as const

/** Reads what was stored; null where it is none of ours: it is then worked out anew. */
export function steeringOf(stored: Json | undefined): Steering | null {
  if (stored === null || typeof stored !== 'object') return null
  const value = stored as unknown as Steering
  const whole = fields.every((name) => Number.isFinite(value[name]))
  return whole && value.price > 0 ? value : null
}
