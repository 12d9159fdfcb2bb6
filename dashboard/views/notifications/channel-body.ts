import { readDuration } from '../../../src/model/duration.js'
import { writtenNumber } from '../../../src/model/written-number.js'
import type { Answers } from '../../../src/server/answers.js'
import type { ChannelAnswer } from '../../../src/server/events/channels.js'

type Kind = Answers['GET channels/kinds']['kinds'][number]

/** What a person wrote into the form of a channel, by the names of its fields. */
export type ChannelTexts = Readonly<Record<string, string | undefined>>

export const noTexts: ChannelTexts = {}

interface PlainField {
  readonly name: string
  readonly label: string
  readonly help?: string
}

/** Of what a channel tells. */
export const conditionFields: readonly PlainField[] = [
  { name: 'group', label: 'Only the group or tag' },
  { name: 'exceptGroups', label: 'Not these groups or tags', help: 'with commas between' },
  { name: 'url', label: 'Only addresses like', help: '* is any text' },
  { name: 'appear', label: 'Only if one of these words appears', help: 'with commas between' },
  { name: 'disappear', label: 'or one of these disappears', help: 'with commas between' },
  { name: 'share', label: 'Least share changed, %' },
  { name: 'priceBelow', label: 'Only if the price is below' },
  { name: 'priceAbove', label: 'Only if the price is above' },
  { name: 'priceBy', label: 'Only if the price changed by more than, %' },
  { name: 'stock', label: 'Only if it came in or went out of stock', help: 'in or out' },
]

/** When a channel sends. */
export const timingFields: readonly PlainField[] = [
  { name: 'digest', label: 'Together', help: 'hour, day, or a time such as 15min' },
  { name: 'digestAt', label: 'Time of a day’s message', help: '08:00' },
  { name: 'quiet', label: 'Quiet hours', help: '22:00-07:00' },
  { name: 'zone', label: 'Time zone', help: 'of these times; UTC by default: Europe/Berlin' },
]

/** A channel as the form writes it; secrets stay `(not shown)`, and are kept where they are sent back so. */
export function textsOf(channel: ChannelAnswer): ChannelTexts {
  const { name, target, when, message = {}, timing = {} } = channel
  const { below, above, changedBy, stock } = when.price ?? {}
  const texts: Record<string, unknown> = {
    name,
    ...Object.fromEntries(Object.entries(target).map(([field, each]) => [`target.${field}`, each])),
    ...{ group: when.group, exceptGroups: when.exceptGroups, url: when.url },
    ...{ appear: when.appear, disappear: when.disappear, share: ofHundred(when.changedShare) },
    ...{ priceBelow: below, priceAbove: above, priceBy: ofHundred(changedBy), stock },
    ...timing,
    digest: typeof timing.digest === 'number' ? `${timing.digest}s` : timing.digest,
    ...{ 'message.title': message.title, 'message.body': message.body },
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([field, each]) =>
      each === undefined ? [] : [[field, Array.isArray(each) ? each.join(', ') : String(each)]],
    ),
  )
}

function ofHundred(share: number | undefined): number | undefined {
  return share === undefined ? undefined : Number((share * 100).toPrecision(6))
}

/** A channel that there is, as the form has it now: what is empty is taken away, what has no field stays. */
export function channelChange(
  kind: Kind,
  { channel, texts }: { readonly channel: ChannelAnswer; readonly texts: ChannelTexts },
): unknown {
  const { on, host, silentFor } = channel.when
  return {
    name: (texts.name ?? '').trim(),
    target: targetOf(kind, texts),
    when: { ...defined({ on, host, silentFor }), ...whenOf(texts) },
    message: messageOf(texts),
    timing: timingOf(texts),
  }
}

function defined(all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function messageOf(texts: ChannelTexts): Record<string, string> {
  return given(texts, { title: 'message.title', body: 'message.body' })
}

/** As the API takes it; the kind is undefined where an address names it. Throws what is wrong with a text. */
export function channelBody(kind: Kind | undefined, texts: ChannelTexts): unknown {
  const message = messageOf(texts)
  const timing = timingOf(texts)
  const when = whenOf(texts)
  return {
    name: (texts.name ?? '').trim(),
    ...(kind === undefined
      ? { address: (texts.address ?? '').trim() }
      : { target: targetOf(kind, texts) }),
    ...(Object.keys(when).length === 0 ? {} : { when }),
    ...(Object.keys(message).length === 0 ? {} : { message }),
    ...(Object.keys(timing).length === 0 ? {} : { timing }),
  }
}

function targetOf({ kind, fields }: Kind, texts: ChannelTexts): unknown {
  const values = fields.flatMap(({ name, type, label }): [string, unknown][] => {
    const text = (texts[`target.${name}`] ?? '').trim()
    if (text === '') return []
    if (type === 'list') return [[name, listOf(text)]]
    if (type === 'number') return [[name, numberOf(text, label)]]
    if (type === 'seconds') return [[name, readDuration(text) ?? numberOf(text, label)]]
    return [[name, text]]
  })
  return { kind, ...Object.fromEntries(values) }
}

function whenOf(texts: ChannelTexts): Record<string, unknown> {
  const share = (texts.share ?? '').trim()
  const lists = ['exceptGroups', 'appear', 'disappear'].flatMap((name) => {
    const list = listOf(texts[name] ?? '')
    return list.length === 0 ? [] : [[name, list]]
  })
  const price = priceOf(texts)
  return {
    ...given(texts, { group: 'group', url: 'url' }),
    ...Object.fromEntries(lists),
    ...(Object.keys(price).length === 0 ? {} : { price }),
    ...(share === '' ? {} : { changedShare: shareOf(share, 'Least share changed') }),
  }
}

function priceOf(texts: ChannelTexts): Record<string, unknown> {
  const written = given(texts, {
    below: 'priceBelow',
    above: 'priceAbove',
    changedBy: 'priceBy',
    stock: 'stock',
  })
  return Object.fromEntries(
    Object.entries(written).map(([name, text]) => {
      if (name === 'stock') return [name, stockOf(text)]
      if (name === 'changedBy') return [name, shareOf(text, 'The price changed by more than')]
      return [name, numberOf(text, 'The price')]
    }),
  )
}

function timingOf(texts: ChannelTexts): Record<string, unknown> {
  const { digest, ...others } = given(texts, {
    digest: 'digest',
    digestAt: 'digestAt',
    quiet: 'quiet',
    zone: 'zone',
  })
  if (digest === undefined) return others
  if (digest === 'hour' || digest === 'day') return { digest, ...others }
  const seconds = readDuration(digest)
  if (seconds === undefined) throw new Error('Together: write hour, day, or a time such as 15min.')
  return { digest: seconds, ...others }
}

/** What was written of these, by the names that the API has for them. */
function given(
  texts: ChannelTexts,
  names: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => {
      const text = (texts[field] ?? '').trim()
      return text === '' ? [] : [[name, text]]
    }),
  )
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/** As people write it: 12, 0.5, and 1.299,00 as shops do. */
function numberOf(text: string, label: string): number {
  const value = writtenNumber(text) ?? Number(text)
  if (Number.isFinite(value)) return value
  throw new Error(`${label}: “${text}” is no number.`)
}

/** Of a hundred, with or without the sign. */
function shareOf(text: string, label: string): number {
  const value = numberOf(text.replace(/\s*%$/, ''), label) / 100
  if (value <= 1) return value
  throw new Error(`${label}: 100% at most.`)
}

function stockOf(text: string): string {
  const state = text.toLowerCase()
  if (state === 'in' || state === 'out') return state
  throw new Error('In or out of stock: write in or out.')
}
