import { linkMark } from '../fingerprint.js'

/** What makes a token look made by a machine for one answer only. */
export type TokenForm = 'time' | 'id' | 'elapsed'

/** Ends a line of the visible text; a token like any other, so that masks keep to their lines. */
export const lineEnd = '\n'

/** The words of a text with the ends of its lines. O(n). */
export function tokensOf(text: string): string[] {
  return text.match(/[^\s]+|\n/g) ?? []
}

/** The text of tokens, one space between words. */
export function textOf(tokens: readonly string[]): string {
  return tokens.join(' ')
}

const time =
  /^(?:\d{4}-\d\d-\d\d[T_])?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:am|pm|z|[+-]\d\d:?\d\d)?$/i
const elapsed = /^\d+(?:[.,]\d+)?(?:ms|s|sec)?$/i
const unit = /^\W*(?:ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\b/i
/** No unit is further from its number: `(ms)`. */
const longestUnit = 40
const attached = /\d(?:ms|s|sec)$/i
const label = /^[\p{L}_-]{1,30}[=:#]/u
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Longer tokens are judged by their beginning: no time or word is so long, a
 * nonce shows itself sooner, and a page must not choose what a search costs.
 */
const judged = 1000

/**
 * A token without the marks around it and a name before `=`, `:` or `#`. Looked
 * for from both ends: as one expression it is quadratic in the marks.
 */
function core(token: string): string {
  const text = token.length > judged ? token.slice(0, judged) : token
  let from = 0
  while (from < text.length && !inWord(text, from)) from++
  let to = text.length
  while (to > from && text[to - 1] !== '=' && !inWord(text, to - 1)) to--
  return text.slice(from, to).replace(label, '')
}

/** Whether the character at a place, or the pair that it is a half of, is a letter or a digit. */
function inWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
  const second = code >= 0xdc00 && code <= 0xdfff
  return letterOrDigit.test(String.fromCodePoint(text.codePointAt(second && at > 0 ? at - 1 : at)!))
}

/** What a token looks like by itself; null for words and plain numbers. `next` is what follows it. */
export function formOf(token: string, next: string): TokenForm | null {
  const code = token.charCodeAt(0)
  // Words of small letters are most of a text.
  if (code >= 97 && code <= 122 && token.length <= judged && /^[a-z]+[.,;:!?]?$/.test(token))
    return null
  const bare = core(token)
  if (time.test(bare)) return 'time'
  if (elapsed.test(bare) && (attached.test(bare) || unit.test(next.slice(0, longestUnit))))
    return 'elapsed'
  return isMachineMade(bare) ? 'id' : null
}

/**
 * Whether a text looks like a nonce, a session or a digest: nine digits, a
 * UUID, or letters and digits that take turns as they do in no word.
 */
function isMachineMade(whole: string): boolean {
  const text = whole.length > judged ? whole.slice(0, judged) : whole
  if (/^\d{9,}$/.test(text)) return true
  if (!/^[\w\-+/=.~%]{6,}$/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return true
  const turns = text.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0
  return turns >= 3 || (text.length >= 16 && turns >= 2)
}

/** Whether a token may stand where a machine-made one stood: one in thirty nonces has no digit. */
export function couldBeMachineMade(token: string): boolean {
  return /^[\w\-+/=.~%]{5,}$/.test(core(token))
}

/** Beyond the first and the last token. */
const edge = ''

/** Contexts are kept with the page; no word of a text is longer. */
const longestName = 200

/** Tokens as a context names them: one that looks machine-made counts by its form, not by its value. */
export function namedTokens(tokens: readonly string[]): string[] {
  return tokens.map((token, i) => {
    const form = formOf(token, tokens[i + 1] ?? '')
    return form === null ? token.slice(0, longestName) : `<${form}>`
  })
}

/** The tokens before a place, the nearest last. */
export function contextBefore(
  named: readonly string[],
  { at, most }: { readonly at: number; readonly most: number },
): string[] {
  return Array.from({ length: most }, (_, i) => named[at - most + i] ?? edge)
}

/** The tokens from a place on. */
export function contextAfter(
  named: readonly string[],
  { at, most }: { readonly at: number; readonly most: number },
): string[] {
  return Array.from({ length: most }, (_, i) => named[at + i] ?? edge)
}

/** Whether these tokens stand right before a place. */
export function endsAt(named: readonly string[], at: number, context: readonly string[]): boolean {
  const from = at - context.length
  return context.every((token, i) => (named[from + i] ?? edge) === token)
}

/** Whether these tokens stand from a place on. */
export function startsAt(
  named: readonly string[],
  at: number,
  context: readonly string[],
): boolean {
  return context.every((token, i) => (named[at + i] ?? edge) === token)
}

const marks = /([/?&=#;]+)/
export const varying = '▒'

/** The fixed parts of an address that differs between two answers in machine-made parts only; else null. */
export function linkShape(values: readonly string[]): string | null {
  if (!values.every((each) => each.startsWith(linkMark))) return null
  const split = values.map((each) => each.split(marks))
  const [first] = split
  if (first === undefined || split.some((each) => each.length !== first.length)) return null
  const shape = first.map((part, i) => {
    const parts = split.map((each) => each[i]!)
    if (parts.every((each) => each === part)) return part
    return parts.some(isMachineMade) && parts.every(couldBeMachineMade) ? varying : null
  })
  return shape.includes(null) ? null : shape.join('')
}

/** Whether an address has these fixed parts. */
export function hasShape(link: string, shape: string): boolean {
  const [parts, wanted] = [link.split(marks), shape.split(marks)]
  if (parts.length !== wanted.length) return false
  return wanted.every((part, i) =>
    part === varying ? couldBeMachineMade(parts[i]!) : part === parts[i],
  )
}
