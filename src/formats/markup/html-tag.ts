import { decodedAttribute } from './decoded-entities.js'

const gt = 62
const slash = 47
const equals = 61
const doubleQuote = 34
const singleQuote = 39

/** White space of HTML. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12
}

/** Most names are in lower case already; short ones are looked at faster than they are made anew. */
export function lower(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if ((code >= 65 && code <= 90) || code > 127) return name.toLowerCase()
  }
  return name
}

/** Whether a character ends the name of a tag; letters come after all that do. */
export function endsName(code: number): boolean {
  return code <= gt && (code === gt || code === slash || isSpace(code))
}

/** Where the name of a tag ends. */
export function endOfName(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (endsName(text.charCodeAt(i))) return i
  }
  return text.length
}

/**
 * Where a tag ends, -1 where it does not, after its attributes, which are put
 * in a record if one is given: the first of a name counts. HTML Standard,
 * 13.2.5.32 to 13.2.5.40.
 */
export function tagEnd(text: string, from: number, into: Record<string, string> | null): number {
  let i = from
  for (;;) {
    let code = text.charCodeAt(i)
    while (isSpace(code) || code === slash) code = text.charCodeAt(++i)
    if (code === gt) return i
    if (!(code >= 0)) return -1
    const nameStart = i++
    code = text.charCodeAt(i)
    while (code > gt || (code >= 0 && code !== equals && !endsName(code)))
      code = text.charCodeAt(++i)
    const nameEnd = i
    while (isSpace(code)) code = text.charCodeAt(++i)
    if (code !== equals) {
      if (into !== null) keep(into, text.slice(nameStart, nameEnd), '')
      continue
    }
    do code = text.charCodeAt(++i)
    while (isSpace(code))
    const quoted = code === doubleQuote || code === singleQuote
    const start = quoted ? i + 1 : i
    const end = quoted
      ? text.indexOf(code === doubleQuote ? '"' : "'", start)
      : endOfUnquoted(text, i)
    if (end === -1) return -1
    if (into !== null) keep(into, text.slice(nameStart, nameEnd), text.slice(start, end))
    i = quoted ? end + 1 : end
  }
}

function endOfUnquoted(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === gt || isSpace(code)) return i
  }
  return -1
}

function keep(into: Record<string, string>, name: string, value: string): void {
  const key = lower(name)
  if (!Object.hasOwn(into, key) && key !== '__proto__') into[key] = decodedAttribute(value)
}
