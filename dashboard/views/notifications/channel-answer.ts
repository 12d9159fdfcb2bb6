import { humanDuration } from '../../../src/model/duration.js'
import type { Seconds, UnixSeconds } from '../../../src/model/units.js'
import { percent } from '../../parts/words.js'

/** A channel through which changes are sent. */
export interface ChannelAnswer {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly target: Readonly<Record<string, unknown>>
  readonly when: Conditions
  readonly pending: number
  readonly failures: number
  readonly restsUntil: UnixSeconds | null
  readonly error: string | null
}

/** What is told; every part given must hold. */
export interface Conditions {
  readonly on?: readonly string[]
  readonly group?: string
  readonly host?: string
  readonly url?: string
  readonly changedShare?: number
  readonly appear?: readonly string[]
  readonly disappear?: readonly string[]
  readonly silentFor?: Seconds
}

export interface DeliveryAnswer {
  readonly id: string
  readonly channel: string
  readonly page: string
  readonly madeAt: UnixSeconds
  readonly state: 'pending' | 'delivered' | 'given-up'
  readonly attempts: number
  readonly error: string | null
}

/** Where a channel leads. */
export function targetWords({ target }: ChannelAnswer): string {
  const to = Array.isArray(target.to) ? target.to.join(', ') : target.url
  return `${target.kind} to ${to}`
}

/** When it tells, in words. */
export function conditionWords(when: Conditions): string {
  const parts = [
    (when.on ?? ['changed', 'gone']).join(' or '),
    when.group === undefined ? '' : `in the group ${when.group}`,
    when.host === undefined ? '' : `on ${when.host}`,
    when.url === undefined ? '' : `at ${when.url}`,
    when.changedShare === undefined ? '' : `by ${percent(when.changedShare)} of the text at least`,
    when.appear === undefined ? '' : `where “${when.appear.join('” or “')}” appears`,
    when.disappear === undefined ? '' : `where “${when.disappear.join('” or “')}” disappears`,
    when.silentFor === undefined ? '' : `not changed for ${humanDuration(when.silentFor)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
