import { type Refusal, refusal } from '../refusal.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON object that bytes write, or why they write none. */
export function jsonObject(
  bytes: Uint8Array,
): { readonly object: Record<string, unknown> } | { readonly refused: Refusal } {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    return { refused: error instanceof SyntaxError ? notJson : notText }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { refused: notAnObject }
  return { object: value as Record<string, unknown> }
}

const notJson = refusal('bad-json', () => 'this is not JSON, or it was cut short')
const notText = refusal('bad-text', () => 'the text is not UTF-8')
const notAnObject = refusal(
  'bad-json',
  () => 'this is not a JSON object such as {"url": ..., "at": ..., "changed": true}',
)
