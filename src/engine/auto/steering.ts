import { DAY, type Json, type UnixSeconds } from '../../model/index.js'
import {
  nextPrice,
  type Objective,
  type PlanPage,
  priceForBudget,
  priceOutcome,
  visitsAtPrice,
} from '../../schedule/index.js'
import type { Census } from './census.js'

/** All that keeping a budget remembers between two looks: stored with the collection. */
export interface Steering {
  /** What a request costs. */
  readonly price: number
  /** Visits that plans ask for, over those foretold from what is believed. */
  readonly correction: number
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

/** Days in which the price is worked out afresh, before it moves by small steps only. */
const settlingDays = 3
/** Nothing more than this is owed or forgiven: a crawler that was off does not rush. */
const mostOwed = 3

/**
 * The price of a request from now on. While little is known, or where the
 * budget or the collection has become another, it is worked out on a sample
 * of the pages as they stand; else it follows by small steps.
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
  const young = now - began < settlingDays * DAY
  const set = young || before === null ? afresh(about) : followed(before, about, allowed - spent)
  return { ...set, at: now, began, requestsPerDay, pages: census.pages, allowed, spentBefore }
}

function moved(before: Steering, { census, requestsPerDay }: SteeringNow): boolean {
  return (
    apart(before.requestsPerDay, requestsPerDay) || apart(before.pages, Math.max(1, census.pages))
  )
}

function apart(one: number, other: number): boolean {
  return !(one / other < 1.25 && other / one < 1.25)
}

/** What is left for the default once pages with policies of their own have had theirs. */
function left({ census, requestsPerDay }: SteeringNow): number {
  return Math.max(0.1 * requestsPerDay, requestsPerDay - DAY * census.plannedByOthers)
}

function afresh(about: SteeringNow): { price: number; correction: number } {
  const { census, sample, objective } = about
  if (sample.length === 0) return { price: 21_600, correction: 1 }
  const visitsPerDay = (left(about) * sample.length) / Math.max(1, census.pages)
  const price = priceForBudget(sample, { visitsPerDay, objective })
  const asked = visitsAtPrice(sample, { price, objective }) / DAY / sample.length
  const foretold =
    priceOutcome(census.masses, { price, objective }).visitRate / Math.max(1, census.pages)
  return { price, correction: Math.min(10, Math.max(0.1, asked / foretold)) }
}

function followed(
  before: Steering,
  about: SteeringNow,
  owed: number,
): { price: number; correction: number } {
  const { census, objective } = about
  const { masses, planned } = census
  return nextPrice(before, { masses, planned, budget: left(about) / DAY, owed }, { objective })
}

const fields = [
  'price',
  'correction',
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
  return whole && value.price > 0 && value.correction > 0 ? value : null
}
