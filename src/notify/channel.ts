import { randomBytes } from 'node:crypto'
import type { AddressOptions } from '../fetch/address-guard.js'
import { InputError } from '../model/errors.js'
import type { Seconds } from '../model/units.js'
import { checkTemplate, type MessageTemplate } from './message.js'
import { type NoticeType, noticeTypes } from './notice.js'
import { type ChannelTarget, checkedTarget, shownTarget } from './send/kinds.js'
import { checkTiming, type Timing } from './timing.js'

/** What is sent; every part given must hold. */
export interface Conditions {
  /** `changed` and `gone` by default; `silent` too where `silentFor` is given. */
  readonly on?: readonly NoticeType[]
  /** Of pages of this group or with this tag. */
  readonly group?: string
  /** Not of pages of these groups or with these tags: they are muted. */
  readonly exceptGroups?: readonly string[]
  readonly host?: string
  /** Addresses as in `https://example.org/news/*`: `*` stands for any text. */
  readonly url?: string
  /** For changes: the least share of the compared text that is new or gone. */
  readonly changedShare?: number
  /** For changes: one of these is new in the compared text. */
  readonly appear?: readonly string[]
  /** For changes: one of these is no longer in the compared text. */
  readonly disappear?: readonly string[]
  /** For changes: of what the page asks for a thing. */
  readonly price?: PriceCondition
  /** Notify once when a page has not changed for so long. */
  readonly silentFor?: Seconds
}

/** A price that is another now, and what it must be; every part given must hold. */
export interface PriceCondition {
  readonly below?: number
  readonly above?: number
  /** By more than this share of what it was. */
  readonly changedBy?: number
  /** It is to be had now and was not before, or the other way round. */
  readonly stock?: 'in' | 'out'
}

export interface ChannelSettings {
  readonly target: ChannelTarget
  readonly when: Conditions
  /** Texts of one's own in the place of the usual. */
  readonly message?: MessageTemplate
  readonly timing?: Timing
}

/** The settings for a person or program to read: secrets are left out. */
export function shownSettings({ target, ...settings }: ChannelSettings): Omit<
  ChannelSettings,
  'target'
> & {
  readonly target: ReturnType<typeof shownTarget>
} {
  return { target: shownTarget(target), ...settings }
}

/** A target as a person gives it. */
export type GivenTarget = { readonly kind: string; readonly [field: string]: unknown }

/** What a channel takes; lengths in letters. */
export const channelLimits = { address: 4000, words: 50, word: 200, template: 20_000 } as const

/**
 * The settings of a channel, looked over; throws an InputError that says what
 * to write instead. An address written out that may not be reached is refused
 * here already, a name when it is looked up.
 */
export function checkedSettings(
  {
    target,
    when = {},
    message,
    timing,
  }: {
    readonly target: GivenTarget
    readonly when?: Conditions
    readonly message?: MessageTemplate | undefined
    readonly timing?: Timing | undefined
  },
  networks: Pick<AddressOptions, 'allowedNetworks'> = {},
): ChannelSettings {
  const checked = checkedTarget(target, networks)
  for (const text of [message?.title, message?.body]) if (text !== undefined) checkTemplate(text)
  if (timing !== undefined) checkTiming(timing)
  return {
    target: withSecret(checked),
    when: checkedConditions(when),
    ...(message === undefined || Object.keys(message).length === 0 ? {} : { message }),
    ...(timing === undefined || Object.keys(timing).length === 0 ? {} : { timing }),
  }
}

/** A webhook always signs: a secret is made where none is given. */
function withSecret(target: ChannelTarget): ChannelTarget {
  if (target.kind !== 'webhook' || target.secret !== undefined) return target
  return { ...target, secret: randomBytes(32).toString('base64url') }
}

function checkedConditions(when: Conditions): Conditions {
  const { on, changedShare, appear, disappear, silentFor } = when
  if (on !== undefined && !on.every((each) => noticeTypes.includes(each as NoticeType)))
    throw bad(`"on" takes ${noticeTypes.join(', ')}`)
  if (on?.includes('silent') === true && silentFor === undefined)
    throw bad('"silent" needs silentFor: how long is too long')
  if (changedShare !== undefined && !(changedShare >= 0 && changedShare <= 1))
    throw bad('changedShare is a share from 0 to 1')
  if (silentFor !== undefined && !(silentFor > 0 && silentFor < Infinity))
    throw bad('silentFor is a time in seconds')
  const words = [...(appear ?? []), ...(disappear ?? [])]
  const { words: most, word: longest } = channelLimits
  if (words.length > most || words.some((each) => each.trim() === '' || each.length > longest))
    throw bad(`words: ${most} at most, none empty or longer than ${longest} letters`)
  return when
}

function bad(message: string): InputError {
  return new InputError('bad-channel', message)
}
