import { Tokenizer } from 'htmlparser2'

export type Attributes = Readonly<Record<string, string>>

let decoded = ''
let piece = ''
const take = (start: number, end: number) => {
  decoded += piece.slice(start, end)
}
const takeCode = (code: number) => {
  decoded += String.fromCodePoint(code)
}
const nothing = () => {}
const tokenizer = new Tokenizer(
  { xmlMode: false, decodeEntities: true },
  {
    ontext: take,
    ontextentity: takeCode,
    onattribdata: take,
    onattribentity: takeCode,
    onopentagname: nothing,
    onattribname: nothing,
    onattribend: nothing,
    onopentagend: nothing,
    onselfclosingtag: nothing,
    onclosetag: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
  },
)

/** Text of a page with its entities decoded; markup in it is left as it is. O(n). */
export function decodedEntities(text: string): string {
  if (!text.includes('&')) return text
  return text
    .split('<')
    .map((part) => (part.includes('&') ? tokenized(part) : part))
    .join('<')
}

/** The value of an attribute decoded: `&copy=1` in an address stays. HTML Standard, 13.2.5.73. */
function decodedAttribute(value: string): string {
  if (!value.includes('&')) return value
  return tokenized(`<a b="${value.replaceAll('"', '&quot;')}">`)
}

/** By htmlparser2's own tokenizer, which is kept: making one costs more than most texts. */
function tokenized(text: string): string {
  decoded = ''
  piece = text
  tokenizer.reset()
  tokenizer.write(text)
  tokenizer.end()
  return decoded
}

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
function endsName(code: number): boolean {
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
 * Called for each attribute: where its name stands, and where its value, without
 * its quotes. Places one by one, since a record for each costs a fifth of a scan.
 */
export type TakeAttribute = (
  nameFrom: number,
  nameTo: number,
  from: number,
  to: number,
  quoted: boolean,
) => void

/**
 * Where a tag ends, -1 where it does not, after its attributes, of which
 * somebody may be told. HTML Standard, 13.2.5.32 to 13.2.5.40.
 */
export function tagEnd(text: string, from: number, take: TakeAttribute | null): number {
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
      take?.(nameStart, nameEnd, nameEnd, nameEnd, false)
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
    take?.(nameStart, nameEnd, start, end, quoted)
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

/** Puts attributes in a record, decoded: the first of a name counts. */
export function keptIn(into: Record<string, string>, text: string): TakeAttribute {
  return (nameFrom, nameTo, from, to) => {
    const key = lower(text.slice(nameFrom, nameTo))
    if (!Object.hasOwn(into, key) && key !== '__proto__')
      into[key] = decodedAttribute(text.slice(from, to))
  }
}

/** `-->` or `--!>`; `<!-->` and `<!--->` are whole comments. -1 where it never ends. HTML Standard, 13.2.5.43. */
export function commentEnd(text: string, from: number): number {
  if (text.charCodeAt(from) === gt) return from
  if (text.startsWith('->', from)) return from + 1
  let at = text.indexOf('--', from)
  while (at !== -1) {
    let after = at + 2
    while (text.charCodeAt(after) === 45) after++
    if (text.charCodeAt(after) === gt) return after
    if (text.startsWith('!>', after)) return after + 1
    at = text.indexOf('--', after)
  }
  return -1
}

/** The names that pages use. */
const common =
  'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup option output p param path picture pre progress q rect rp rt ruby s samp script section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr'.split(
    ' ',
  )
const size = 1024
/** Each at its key; of two with one key the first. */
const byKey: (string | undefined)[] = Array.from({ length: size }, () => undefined)
for (const name of common) {
  let key = 0
  for (let i = 0; i < name.length; i++) key = nextKey(key, name.charCodeAt(i))
  byKey[key] ??= name
}

function nextKey(key: number, code: number): number {
  return (key * 37 + code) & (size - 1)
}

/**
 * The name of the tag at a place where it is a common one in lower case, else
 * undefined. No new text is made for it, and it is looked up faster afterwards.
 */
export function commonName(text: string, from: number): string | undefined {
  let key = 0
  let to = from
  for (; to < text.length; to++) {
    const code = text.charCodeAt(to)
    if (endsName(code)) break
    key = nextKey(key, code)
  }
  const name = byKey[key]
  if (name === undefined || name.length !== to - from) return undefined
  for (let i = 0; i < name.length; i++)
    if (text.charCodeAt(from + i) !== name.charCodeAt(i)) return undefined
  return name
}
