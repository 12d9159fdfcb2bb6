import { decodedText } from '../formats/charset.js'
import { scanHtml } from '../formats/markup/scan-html.js'
import { writtenNumber } from '../model/written-number.js'
import type { ContentAnswer } from './read-content.js'

/** What a page asks for a thing, and whether it has it. */
export interface Offer {
  readonly price: number | null
  /** ISO 4217, where the page says so. */
  readonly currency: string | null
  readonly inStock: boolean | null
  /** From structured data, or the first number with a currency in the compared text. */
  readonly from: 'json-ld' | 'text'
}

const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  zł: 'PLN',
  kr: 'SEK',
  CHF: 'CHF',
  EUR: 'EUR',
  USD: 'USD',
  GBP: 'GBP',
  JPY: 'JPY',
  PLN: 'PLN',
  SEK: 'SEK',
  NOK: 'NOK',
  DKK: 'DKK',
  CZK: 'CZK',
  AUD: 'AUD',
  CAD: 'CAD',
  INR: 'INR',
  euros: 'EUR',
  euro: 'EUR',
  dollars: 'USD',
}
const names = Object.keys(signs)
  .map((each) => each.replace('$', '\\$'))
  .join('|')
const digits = "\\d(?:[\\d.,'’ \\u00a0\\u202f]{0,20}\\d)?"
const before = new RegExp(`(${names})\\s?(${digits})`, 'u')
const after = new RegExp(`(${digits})\\s?(${names})(?![\\p{L}])`, 'u')

/** What is chosen of a page for its price has a few words at most beside it. */
const shortText = 60

/** The first number in a text that has a currency; else the only number in a text that is short: in a whole page it may be anything. */
function priceInText(text: string): Pick<Offer, 'price' | 'currency'> {
  const [left, right] = [before.exec(text), after.exec(text)]
  const first = left !== null && (right === null || left.index <= right.index) ? left : null
  if (first !== null) return { price: writtenNumber(first[2]!), currency: signs[first[1]!] ?? null }
  if (right !== null) return { price: writtenNumber(right[1]!), currency: signs[right[2]!] ?? null }
  if (text.trim().length > shortText) return { price: null, currency: null }
  const numbers = text.match(new RegExp(digits, 'gu')) ?? []
  return { price: numbers.length === 1 ? writtenNumber(numbers[0]!) : null, currency: null }
}

/** Structured data is bounded: what a shop writes of an offer has a few kilobytes. */
const mostData = 500_000
const deepest = 12

/** The offer in a page's JSON-LD (schema.org/Offer), else in the text that is compared of it. */
export function offerIn(answer: ContentAnswer, text: string | null): Offer | null {
  const data = structuredOffer(answer)
  if (data !== null) return data
  if (text === null) return null
  const found = priceInText(text)
  return found.price === null ? null : { ...found, inStock: null, from: 'text' }
}

function structuredOffer(answer: ContentAnswer): Offer | null {
  const type = answer.headers['content-type'] ?? ''
  if (!/html/i.test(type)) return null
  for (const block of dataBlocks(decodedText(answer.body, type))) {
    const offer = offerOf(parsed(block), 0)
    if (offer !== null) return offer
  }
  return null
}

function dataBlocks(html: string): string[] {
  const blocks: string[] = []
  let open: string[] | null = null
  scanHtml(html, {
    wants: (name) => name === 'script',
    open(name, { type = '' }) {
      if (name === 'script' && /^application\/ld\+json/i.test(type)) open = []
    },
    text: (part) => void open?.push(part),
    close(name) {
      if (name !== 'script' || open === null) return
      const block = open.join('')
      if (block.length <= mostData) blocks.push(block)
      open = null
    },
  })
  return blocks
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** The first offer in what structured data holds, wherever it stands. */
function offerOf(value: unknown, depth: number): Offer | null {
  if (typeof value !== 'object' || value === null || depth > deepest) return null
  if (Array.isArray(value)) {
    for (const each of value) {
      const found = offerOf(each, depth + 1)
      if (found !== null) return found
    }
    return null
  }
  const record = value as Readonly<Record<string, unknown>>
  const kinds = [record['@type']].flat()
  if (kinds.some((kind) => kind === 'Offer' || kind === 'AggregateOffer')) {
    const price = numberOf(record.price ?? record.lowPrice)
    const { priceCurrency, availability } = record
    return {
      price,
      currency: typeof priceCurrency === 'string' ? priceCurrency.slice(0, 3).toUpperCase() : null,
      inStock:
        typeof availability === 'string'
          ? /InStock|LimitedAvailability|OnlineOnly|InStoreOnly/i.test(availability)
          : null,
      from: 'json-ld',
    }
  }
  return offerOf(Object.values(record), depth + 1)
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' ? writtenNumber(value.trim()) : null
}
