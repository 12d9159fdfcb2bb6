import type { Objective } from './objective.js'
import { priceFor, priceOutcome } from './price.js'

/** All that a controller remembers: two numbers, to be stored with the collection. */
export interface PriceState {
  /** What a request costs now; null before the first day. */
  readonly price: number | null
  /** Visits that plans ask for, over those foretold from what is believed. */
  readonly correction: number
}

/** How things stand when the price is set anew. */
export interface Spending {
  /** Masses of the laws, summed over the pages followed: together the number of pages. */
  readonly masses: Float64Array
  /** Visits a second that the pages' present gaps come to: the sum of 1 / gap. */
  readonly planned: number
  /** Visits a second that may be made. */
  readonly budget: number
  /** Visits that were allowed up to now less those made; negative where too many were. */
  readonly owed: number
}

const DAY = 86_400
/** What was spent too much or too little is made good over so long. */
const settling = 30 * DAY
/** No more is made good than the requests of so long. */
const mostOwed = 3 * DAY
/** How much of the gap between plans and foresight is believed at a time. */
const trust = 0.05

/** The price moves no faster a day: a request should be worth the same on a Sunday as on a Monday. */
const mostMove = 1.07

/**
 * Keeps spending at the budget by the price of a request: each time (once a
 * day will do) the price at which what is believed of all pages asks for the
 * budget, with what is owed from before. Plans differ somewhat from that
 * foresight, since laws are not known for sure; the controller learns by how
 * much. No clock, no randomness: two numbers in, two numbers out.
 */
export function nextPrice(
  before: PriceState,
  spending: Spending,
  { objective = 'freshness' }: { readonly objective?: Objective } = {},
): PriceState & { readonly price: number } {
  const { masses, planned, budget, owed } = spending
  const correction = corrected(before, { masses, planned, objective })
  const held = Math.min(mostOwed * budget, Math.max(-mostOwed * budget, owed))
  const wanted = Math.min(2 * budget, Math.max(0.5 * budget, budget + held / settling))
  const price = priceFor(masses, { visitRate: wanted / correction, objective })
  if (before.price === null) return { price, correction }
  const move = Math.min(mostMove, Math.max(1 / mostMove, price / before.price))
  return { price: before.price * move, correction }
}

/** Before any price, nothing is known of how plans come out. */
export const noPrice: PriceState = { price: null, correction: 1 }

function corrected(
  { price, correction }: PriceState,
  now: { masses: Float64Array; planned: number; objective: Objective },
): number {
  if (price === null || !(now.planned > 0)) return correction
  const foretold = priceOutcome(now.masses, { price, objective: now.objective }).visitRate
  const moved = correction * (now.planned / (foretold * correction)) ** trust
  return Math.min(10, Math.max(0.1, moved))
}
