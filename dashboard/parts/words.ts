import { humanDuration } from '../../src/model/duration.js'
import type { UnixSeconds } from '../../src/model/units.js'

const whole = new Intl.NumberFormat('en-US')
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' })

export function count(value: number): string {
  return whole.format(value)
}

/** A number where the exact one does not matter: 0.25, 3.4, 240, 12.3K. */
export function about(value: number): string {
  if (value < 10) return String(Number(value.toPrecision(2)))
  return value < 10_000 ? whole.format(Math.round(value)) : short.format(value)
}

export function percent(share: number, { digits = 0 }: { digits?: number } = {}): string {
  return `${(100 * share).toFixed(digits)}%`
}

/** How many percentage points a share is above another, as both are written with one digit. */
export function pointsAbove(share: number, other: number): number {
  return (Math.round(1000 * share) - Math.round(1000 * other)) / 10
}

export function bytes(amount: number): string {
  if (amount < 1000) return `${amount} B`
  const scale = [
    { size: 1e9, name: 'GB' },
    { size: 1e6, name: 'MB' },
    { size: 1e3, name: 'KB' },
  ].find(({ size }) => amount >= size)!
  return `${(amount / scale.size).toFixed(1)} ${scale.name}`
}

/** `3 minutes ago`, `in 2 days`, `now`. */
export function fromNow(at: UnixSeconds, now: UnixSeconds): string {
  const away = at - now
  if (Math.abs(away) < 1) return 'now'
  return away < 0 ? `${humanDuration(-away)} ago` : `in ${humanDuration(away)}`
}

/** A moment in UTC: `2026-03-01 12:00:05`. */
export function moment(at: UnixSeconds): string {
  const date = new Date(at * 1000)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ')
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
