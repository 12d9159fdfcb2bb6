import type { Offer } from '../content/offer.js'
import { cut, shown } from '../formats/printable-text.js'
import { humanTime } from '../model/duration.js'
import { InputError } from '../model/errors.js'
import { hostOf } from '../model/page.js'
import type { Json } from '../model/units.js'
import type { NumberedNotice } from './delivery.js'
import { type Notice, noticeLine, noticeText } from './notice.js'

/** What a service is sent: one notice, or several in one. */
export interface Message {
  /** Of the delivery, or of the first of several: the same for every try. */
  readonly id: string
  /** One line. */
  readonly title: string
  readonly body: string
  /** To the difference, where the dashboard's address is known, and otherwise to the page. */
  readonly link: string | null
  readonly notices: readonly Notice[]
}

/** Texts of one's own in the place of the usual. */
export interface MessageTemplate {
  readonly title?: string
  readonly body?: string
}

/** How messages are written. */
export interface MessageOptions {
  readonly template?: MessageTemplate | undefined
  /** Where people reach the dashboard, such as https://revisit.example.org. */
  readonly dashboard?: string | null | undefined
}

/** What a template can name, each as {{name}}; the guide's table is this one. */
export const templateVariables = {
  line: 'in one line, as in the subject of a mail: Changed: Terms',
  text: 'the usual text: line, address, time, what changed',
  title: 'title of the page; its address where it has none',
  url: 'address of the page',
  host: 'its host',
  group: 'its group; empty where it has none',
  tags: 'its tags, with commas between them',
  type: 'changed, gone, silent or test',
  time: 'when it was seen, in UTC',
  share: 'share of the compared text that changed, in percent',
  removed: 'the words that went, in a line',
  added: 'the words that came, in a line',
  diff: 'compared lines that went and came, cut short',
  price: 'price on the page, where it has one',
  oldPrice: 'the price before',
  stock: 'in stock or out of stock, where the page says so',
  note: 'why there is no diff, or why it is empty',
  link: 'to the difference in the dashboard, or to the page',
} as const satisfies Record<string, string>

type Variable = keyof typeof templateVariables

const variable = /\{\{\s*([\w-]*)\s*\}\}/g

/** Refuses a template that names what there is not. */
export function checkTemplate(text: string): void {
  for (const [whole, name] of text.matchAll(variable))
    if (!Object.hasOwn(templateVariables, name!))
      throw new InputError(
        'bad-template',
        `${whole.slice(0, 60)} is not known; there are ${Object.keys(templateVariables).join(', ')}`,
      )
}

/** A template with its names replaced, once: what a page says is never read as a template. */
function filled(template: string, values: Readonly<Record<Variable, string>>): string {
  return template.replace(variable, (_, name: string) =>
    Object.hasOwn(values, name) ? values[name as Variable] : '',
  )
}

/** A JSON value in which each text is such a template; its structure is the template's alone. */
export function filledJson(template: Json, values: Readonly<Record<Variable, string>>): Json {
  if (typeof template === 'string') return filled(template, values)
  if (Array.isArray(template)) return template.map((each) => filledJson(each, values))
  if (template === null || typeof template !== 'object') return template
  const entries = Object.entries(template).map(([name, value]) => [name, filledJson(value, values)])
  return Object.fromEntries(entries)
}

/** Of one notice. */
export function variablesOf(
  notice: Notice,
  dashboard?: string | null,
): Readonly<Record<Variable, string>> {
  const { page, visit, type } = notice
  return {
    line: noticeLine(notice),
    text: noticeText(notice),
    title: shown(page.title ?? page.url),
    url: shown(page.url),
    host: hostOf(page.url),
    group: shown(page.group ?? ''),
    tags: (page.tags ?? []).map(shown).join(', '),
    type,
    time: humanTime(visit.at),
    share: notice.changedShare === null ? '' : String(Math.round(notice.changedShare * 100)),
    removed: shown(notice.removed ?? ''),
    added: shown(notice.added ?? ''),
    diff: notice.diff ?? '',
    price: priceText(notice.offers?.after),
    oldPrice: priceText(notice.offers?.before),
    stock: stockText(notice.offers?.after),
    note: shown(notice.note ?? ''),
    link: linkOf(notice, dashboard) ?? '',
  }
}

function priceText(offer: Offer | null | undefined): string {
  if (offer?.price == null) return ''
  return `${offer.price}${offer.currency === null ? '' : ` ${shown(offer.currency)}`}`
}

function stockText(offer: Offer | null | undefined): string {
  return offer?.inStock == null ? '' : offer.inStock ? 'in stock' : 'out of stock'
}

function linkOf({ type, page }: Notice, dashboard: string | null | undefined): string | null {
  if (type === 'test') return dashboard ?? null
  return dashboard == null ? page.url : `${dashboard.replace(/\/$/, '')}/#/pages/${page.id}`
}

const mostTitle = 300
const mostBody = 20_000

/** The message of one or several notices. */
export function messageOf(
  numbered: readonly NumberedNotice[],
  { template = {}, dashboard }: MessageOptions = {},
): Message {
  const notices = numbered.map(({ notice }) => notice)
  const [first] = notices
  const values = notices.map((notice) => variablesOf(notice, dashboard))
  const bodies = values.map((each) =>
    template.body !== undefined
      ? filled(template.body, each)
      : // Its first line is the title of a message of its own.
        (notices.length > 1 ? each.text : each.text.replace(/^.*\n/, '')).trim(),
  )
  const title =
    notices.length > 1
      ? `${notices.length} notices: ${notices.map(({ page }) => shown(page.title ?? page.url)).join(', ')}`
      : template.title === undefined
        ? values[0]!.line
        : filled(template.title, values[0]!)
  return {
    id: numbered[0]!.id,
    title: cut(title.replace(/\s+/g, ' ').trim(), mostTitle),
    body: cut(bodies.join('\n\n'), mostBody),
    link: notices.length > 1 ? (dashboard ?? null) : linkOf(first!, dashboard),
    notices,
  }
}
