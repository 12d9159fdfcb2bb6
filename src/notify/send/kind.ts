import { cut } from '../../formats/printable-text.js'
import type { Clock } from '../../model/units.js'
import type { Send } from '../delivery.js'
import type { Message } from '../message.js'
import type { AppriseAddress } from './apprise-address.js'
import type { GuardedPost, Post } from './guarded-post.js'

export const fieldTypes = ['address', 'text', 'long-text', 'number', 'seconds', 'list'] as const

/**
 * What a setting of a kind of channel is: the check of what is given, the API's
 * schema, the options of the command and the fields of the dashboard's form
 * all follow from this.
 */
export interface Field {
  /** `address`: of a web server, held against the networks that may be reached. */
  readonly type: (typeof fieldTypes)[number]
  readonly label: string
  /** For a person: what to put there. */
  readonly help?: string
  readonly optional?: true
  /** Never shown again; of an address everything after the host. */
  readonly secret?: true
  /** Of a text, or of each in a list: what it looks like, as a regular expression. */
  readonly pattern?: string
  readonly least?: number
  /** Of a number, the letters of a text, or the length of a list. */
  readonly most?: number
}

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F extends Field> = F['type'] extends 'number' | 'seconds'
  ? number
  : F['type'] extends 'list'
    ? readonly string[]
    : string

/** The target of a kind, from its fields. */
export type TargetOf<Kind extends string, F extends Fields> = { readonly kind: Kind } & {
  readonly [Name in keyof F as F[Name] extends { optional: true } ? never : Name]: ValueOf<F[Name]>
} & {
  readonly [Name in keyof F as F[Name] extends { optional: true } ? Name : never]?: ValueOf<F[Name]>
}

/** What senders work with. */
export interface SendTools {
  readonly post: GuardedPost
  readonly clock: Clock
  /** Where people reach the dashboard, if that is known. */
  readonly dashboard?: string | null | undefined
}

/** How messages reach one service: the settings it needs, and a message in its own shape. */
export interface ChannelKind<Kind extends string = string, F extends Fields = Fields> {
  readonly kind: Kind
  readonly label: string
  /** Where a person finds what to put in. */
  readonly help: string
  /** The first is what a command takes without naming it. */
  readonly fields: F
  /** Schemes of Apprise-style addresses, with an example for people. */
  readonly schemes: readonly string[]
  readonly example: string
  /** The fields from such an address; null where it is not of this form. */
  readonly fromAddress?: (address: AppriseAddress) => Readonly<Record<string, unknown>> | null
  /** Throws where fields do not go together. */
  readonly check?: (target: TargetOf<Kind, F>) => void
  /** Where it leads, without secrets. */
  readonly leadsTo: (target: TargetOf<Kind, F>) => string
  /** One message as the service takes it. */
  readonly request?: (target: TargetOf<Kind, F>, message: Message) => Post
  /** Where one request for a message is not all there is to it. */
  readonly sender?: (target: TargetOf<Kind, F>, tools: SendTools) => Send
}

/** Types a kind by its own fields. */
export function channelKind<const Kind extends string, const F extends Fields>(
  kind: ChannelKind<Kind, F>,
): ChannelKind<Kind, F> {
  return kind
}

/** A request with a JSON body. */
export function jsonPost(
  url: string,
  body: unknown,
  { headers = {}, ...more }: Partial<Pick<Post, 'headers' | 'method'>> = {},
): Post {
  return {
    url,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    ...more,
  }
}

/** Title, body and link as one text; the body gives way, so that the link is always there. */
export function wholeText({ title, body, link }: Message, most: number): string {
  const end = link === null ? '' : `\n\n${link}`
  return `${cut(body === '' ? title : `${title}\n\n${body}`, most - end.length)}${end}`
}

/** The host of an address, for people. */
export function hostOfAddress({ url }: { readonly url: string }): string {
  return new URL(url).host
}

/** Tokens, keys and ids as services make them. */
export const plainToken = '^[\\x21-\\x7e]{1,500}$'

/** A text in which nothing is markup, where a service reads Markdown: signs of it are escaped. */
export function withoutMarkdown(text: string): string {
  return text.replace(/[\\`*_~|>[\]()#@<]/g, '\\$&')
}
