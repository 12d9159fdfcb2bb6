import { AddressGuard, type AddressOptions } from '../../fetch/address-guard.js'
import { InputError } from '../../model/errors.js'
import type { Send } from '../delivery.js'
import type { Message } from '../message.js'
import { apprise } from './apprise.js'
import { appriseAddress } from './apprise-address.js'
import { command } from './command.js'
import { discord } from './discord.js'
import { gotify } from './gotify.js'
import type { Post } from './guarded-post.js'
import type { ChannelKind, Field, SendTools, TargetOf } from './kind.js'
import { email } from './mail.js'
import { matrix } from './matrix.js'
import { mattermost } from './mattermost.js'
import { ntfy } from './ntfy.js'
import { pushover } from './pushover.js'
import { slack } from './slack.js'
import { teams } from './teams.js'
import { telegram } from './telegram.js'
import { webhook } from './webhook.js'

/** Every kind of channel, in the order a person meets them: a new one is its file and its name here. */
export const channelKinds = [
  email,
  slack,
  discord,
  telegram,
  teams,
  mattermost,
  matrix,
  ntfy,
  gotify,
  pushover,
  webhook,
  apprise,
  command,
] as const

type Kinds = (typeof channelKinds)[number]
export type KindName = Kinds['kind']
/** Where notices go. */
export type ChannelTarget = Kinds extends infer K
  ? K extends ChannelKind<infer Name, infer F>
    ? TargetOf<Name, F>
    : never
  : never

/** A kind, whatever its fields are; asked with a target of its own name alone. */
export interface AnyKind extends Omit<ChannelKind, 'check' | 'leadsTo' | 'request' | 'sender'> {
  check?(target: ChannelTarget): void
  leadsTo(target: ChannelTarget): string
  request?(target: ChannelTarget, message: Message): Post
  sender?(target: ChannelTarget, tools: SendTools): Send
}

export function kindNamed(name: string): AnyKind {
  const kinds: readonly AnyKind[] = channelKinds
  const found = kinds.find(({ kind }) => kind === name)
  if (found !== undefined) return found
  throw bad(
    `there is no kind "${name.slice(0, 50)}" of channel; there are ${channelKinds.map(({ kind }) => kind).join(', ')}`,
  )
}

function bad(message: string): InputError {
  return new InputError('bad-channel', message)
}

/** Of an address and a text that says nothing of its length. */
export const mostLetters = 4000

/** A target as a person gives it, each field looked over by its kind. */
export function checkedTarget(
  { kind: name, ...fields }: { readonly kind: string; readonly [field: string]: unknown },
  { allowedNetworks }: Pick<AddressOptions, 'allowedNetworks'> = {},
): ChannelTarget {
  const kind = kindNamed(name)
  const guard = new AddressGuard(allowedNetworks === undefined ? {} : { allowedNetworks })
  const unknown = Object.keys(fields).find((field) => kind.fields[field] === undefined)
  if (unknown !== undefined)
    throw bad(`${name} has no setting ${unknown}; it has ${Object.keys(kind.fields).join(', ')}`)
  const given = Object.entries(kind.fields).flatMap(([field, about]) => {
    const value = fields[field]
    if (value !== undefined) return [[field, checkedValue(value, { name, field, about, guard })]]
    if (about.optional === true) return []
    throw bad(
      `${name} needs ${field}: ${about.label}${about.help === undefined ? '' : ` (${about.help})`}`,
    )
  })
  const target = { kind: name, ...Object.fromEntries(given) } as ChannelTarget
  kind.check?.(target)
  return target
}

function checkedValue(
  value: unknown,
  { name, field, about, guard }: { name: string; field: string; about: Field; guard: AddressGuard },
): unknown {
  const { type, least = 0, most, pattern } = about
  const wrong = () =>
    bad(
      `${field} of ${name} is not right: ${about.label}${about.help === undefined ? '' : ` (${about.help})`}`,
    )
  if (type === 'number' || type === 'seconds') {
    const right = type === 'number' ? Number.isInteger(value) : typeof value === 'number'
    if (right && Number(value) >= least && Number(value) <= (most ?? Infinity)) return value
    throw bad(
      `${field} of ${name} is a ${type === 'number' ? 'whole number' : 'time in seconds'} from ${least} to ${most}`,
    )
  }
  const fits = (text: unknown): text is string =>
    typeof text === 'string' &&
    text !== '' &&
    text.length <= (type === 'list' ? mostLetters : (most ?? mostLetters)) &&
    (pattern === undefined || new RegExp(pattern).test(text))
  if (type === 'list') {
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= (most ?? 100) &&
      value.every(fits)
    )
      return [...value]
    throw wrong()
  }
  if (type === 'address') return checkedUrl(String(value), guard)
  if (!fits(value) || value.length < least) throw wrong()
  return value
}

function checkedUrl(text: string, guard: AddressGuard): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > mostLetters)
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

/** Stands for a secret that is set. */
const notShown = '(not shown)'

/**
 * A target for a person or program to read: the fields that its kind declares,
 * and no secret among them, so that none is shown by oversight.
 */
export function shownTarget(
  target: ChannelTarget,
): { readonly kind: KindName } & Record<string, unknown> {
  const fields: Readonly<Record<string, unknown>> = target
  const shown = Object.entries(kindNamed(target.kind).fields).flatMap(([name, about]) =>
    fields[name] === undefined ? [] : [[name, shownValue(fields[name], about)]],
  )
  return { kind: target.kind, ...Object.fromEntries(shown) }
}

function shownValue(value: unknown, { secret, type }: Field): unknown {
  if (secret !== true) return value
  return type === 'address' ? `${new URL(String(value)).origin}/${notShown}` : notShown
}

/** What was given for a target of the same kind, with the secrets that were only shown as such. */
export function withKeptSecrets(
  given: { readonly kind: string; readonly [field: string]: unknown },
  before: ChannelTarget,
): { readonly kind: string; readonly [field: string]: unknown } {
  if (given.kind !== before.kind) return given
  const known: Readonly<Record<string, unknown>> = before
  const secrets = Object.entries(kindNamed(given.kind).fields).flatMap(([name, { secret }]) => {
    const value = given[name]
    const kept = value === undefined || (typeof value === 'string' && value.endsWith(notShown))
    return secret === true && kept && known[name] !== undefined ? [[name, known[name]]] : []
  })
  return { ...given, ...Object.fromEntries(secrets) }
}

/** Where a target leads, for a person. */
export function leadsTo(target: ChannelTarget): string {
  return kindNamed(target.kind).leadsTo(target)
}

/** The target of an Apprise-style address; refused with those that there are where it is of no known form. */
export function targetFromAddress(text: string): {
  readonly kind: string
  readonly [field: string]: unknown
} {
  const address = appriseAddress(text)
  const kinds: readonly AnyKind[] = channelKinds
  const kind = kinds.find(({ schemes }) => address !== null && schemes.includes(address.scheme))
  if (address === null || kind === undefined)
    throw bad(
      `${JSON.stringify(text.slice(0, 30))} is no address of a known service; there are ${kinds.flatMap(({ schemes }) => schemes.map((scheme) => `${scheme}://`)).join(' ')}`,
    )
  const fields = kind.fromAddress?.(address) ?? null
  if (fields === null) throw bad(`an address of ${kind.label} looks like ${kind.example}`)
  return { kind: kind.kind, ...fields }
}
