import type { Seconds } from '../model/index.js'
import type { NoticeType } from './notice.js'

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
  /** Gathers notices for so long and sends them as one mail; each at once unless said. */
  readonly digest?: Seconds
}

/** A topic of an ntfy server, such as https://ntfy.sh/my-topic. */
export interface NtfyTarget {
  readonly kind: 'ntfy'
  readonly url: string
  /** Access token, where the topic needs one. */
  readonly token?: string
  /** 1 (least) to 5; 3 unless said. */
  readonly priority?: number
}

/** What is told; every part given must hold. */
export interface Conditions {
  /** `changed` and `gone` unless said; `silent` too where `silentFor` is given. */
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
  /** Tell once when a page has not changed for so long. */
  readonly silentFor?: Seconds
}

export interface ChannelSettings {
  readonly target: ChannelTarget
  readonly when: Conditions
}

/** The settings for a person or program to look at: secrets are left out. */
export function shownSettings({ target, when }: ChannelSettings): {
  target: Record<string, unknown>
  when: Conditions
} {
  const { secret: _, token, ...rest } = target as unknown as Record<string, unknown>
  return { target: { ...rest, ...(token === undefined ? {} : { token: '(not shown)' }) }, when }
}
