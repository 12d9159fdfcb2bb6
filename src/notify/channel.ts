import { randomBytes } from 'node:crypto'
import { AddressGuard, type AddressOptions } from '../fetch/address-guard.js'
import { InputError } from '../model/errors.js'
import { given } from '../model/given.js'
import { DAY, type Seconds } from '../model/units.js'
import { type NoticeType, noticeTypes } from './notice.js'

/** Where notices go. */
export type ChannelTarget = WebhookTarget | MailTarget | NtfyTarget

/** A JSON body by POST, signed with the secret. */
export interface WebhookTarget {
  readonly kind: 'webhook'
  readonly url: string
  readonly secret: string
}

export interface MailTarget {
  readonly kind: 'email'
  readonly to: readonly string[]
  /** Gathers notices for so long and sends them as one mail; each at once by default. */
  readonly digest?: Seconds
}

/** A topic of an ntfy server, such as https://ntfy.sh/my-topic. */
export interface NtfyTarget {
  readonly kind: 'ntfy'
  readonly url: string
  /** Access token, where the topic needs one. */
  readonly token?: string
  /** 1 (least) to 5; 3 by default. */
  readonly priority?: number
}

/** What is sent; every part given must hold. */
export interface Conditions {
  /** `changed` and `gone` by default; `silent` too where `silentFor` is given. */
  readonly on?: readonly NoticeType[]
  readonly group?: string
  readonly host?: string
  /** Addresses as in `https://example.org/news/*`: `*` stands for any text. */
  readonly url?: string
  /** For changes: the least share of the compared text that is new or gone. */
  readonly changedShare?: number
  /** For changes: one of these is new in the compared text. */
  readonly appear?: readonly string[]
  /** For changes: one of these is no longer in the compared text. */
  readonly disappear?: readonly string[]
  /** Notify once when a page has not changed for so long. */
  readonly silentFor?: Seconds
}

export interface ChannelSettings {
  readonly target: ChannelTarget
  readonly when: Conditions
}

/** Stands for a secret that is set. */
const hidden = '(not shown)'

/** A target without its secrets. */
export type ShownTarget =
  | (Pick<WebhookTarget, 'kind' | 'url'> & { readonly secret?: never })
  | MailTarget
  | (Omit<NtfyTarget, 'token'> & { readonly token?: typeof hidden })

/** The settings for a person or program to read: secrets are left out. */
export function shownSettings({ target, when }: ChannelSettings): {
  readonly target: ShownTarget
  readonly when: Conditions
} {
  return { target: shownTarget(target), when }
}

/**
 * Each kind names the fields that are shown, so that a secret added to one is
 * not shown by oversight; a kind that names none does not compile.
 */
function shownTarget(target: ChannelTarget): ShownTarget {
  switch (target.kind) {
    case 'webhook':
      return { kind: target.kind, url: target.url }
    case 'email': {
      const { kind, to, digest } = target
      return { kind, to, ...given({ digest }) }
    }
    case 'ntfy': {
      const { kind, url, token, priority } = target
      return {
        kind,
        url,
        ...(token === undefined ? {} : { token: hidden }),
        ...given({ priority }),
      }
    }
  }
}

/** A target as a person gives it: a secret is made where none is. */
export type GivenTarget =
  | { readonly kind: 'webhook'; readonly url: string; readonly secret?: string }
  | Exclude<ChannelTarget, { kind: 'webhook' }>

/** What a channel takes; lengths in letters, the digest in seconds. */
export const channelLimits = {
  address: 4000,
  secret: 16,
  recipients: 20,
  digest: 31 * DAY,
  words: 50,
  word: 200,
} as const

/**
 * The settings of a channel, looked over; throws an InputError that says what
 * to write instead. An address written out that may not be reached is refused
 * here already, a name when it is looked up.
 */
export function checkedSettings(
  { target, when = {} }: { readonly target: GivenTarget; readonly when?: Conditions },
  { allowedNetworks }: Pick<AddressOptions, 'allowedNetworks'> = {},
): ChannelSettings {
  const guard = new AddressGuard(allowedNetworks === undefined ? {} : { allowedNetworks })
  return { target: checkedTarget(target, guard), when: checkedConditions(when) }
}

function checkedTarget(target: GivenTarget, guard: AddressGuard): ChannelTarget {
  if (target.kind === 'webhook') {
    const { url, secret = randomBytes(32).toString('base64url') } = target
    if (secret.length < channelLimits.secret)
      throw bad(`the secret of a webhook must have ${channelLimits.secret} letters or more`)
    return { kind: 'webhook', url: checkedUrl(url, guard), secret }
  }
  if (target.kind === 'ntfy') return checkedNtfy(target, guard)
  const { to, digest } = target
  if (to.length === 0 || to.length > channelLimits.recipients || !to.every(isAddress))
    throw bad(
      `an e-mail channel needs 1 to ${channelLimits.recipients} plain addresses (you@example.org)`,
    )
  if (digest !== undefined && !(digest >= 0 && digest <= channelLimits.digest))
    throw bad('a digest gathers for 0 seconds to 31 days')
  return { kind: 'email', to: [...to], ...(digest === undefined ? {} : { digest }) }
}

function checkedNtfy(target: Extract<GivenTarget, { kind: 'ntfy' }>, guard: AddressGuard) {
  const url = checkedUrl(target.url, guard)
  if (!/^\/(?:.*\/)?[-\w]{1,64}$/.test(new URL(url).pathname))
    throw bad('an ntfy address ends in a topic, such as https://ntfy.sh/my-topic')
  const { token, priority } = target
  if (token !== undefined && !/^[\x21-\x7e]{1,500}$/.test(token)) throw bad('the token is no token')
  if (priority !== undefined && ![1, 2, 3, 4, 5].includes(priority))
    throw bad('a priority is 1 to 5')
  return {
    kind: 'ntfy' as const,
    url,
    ...(token === undefined ? {} : { token }),
    ...(priority === undefined ? {} : { priority }),
  }
}

function checkedUrl(text: string, guard: AddressGuard): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > channelLimits.address)
    throw bad(`${JSON.stringify(text.slice(0, 200))} is no web address (https://...)`)
  if (url.username !== '' || url.password !== '')
    throw bad('an address with a password in it is not taken; webhooks are signed instead')
  url.hash = ''
  try {
    guard.checkLiteral(url.hostname)
  } catch (cause) {
    throw new InputError(
      'address-refused',
      `${url.hostname} is a private or reserved address; allow its network with notify-networks`,
      { cause },
    )
  }
  return url.href
}

/** Plain addresses alone: no names, no lists, nothing that a header could be made of. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]+$/.test(text)
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
