import { commentEnd, endOfName, isSpace, tagEnd } from '../formats/markup/html-tag.js'

/** A piece of markup, by its place in the text: from `start` up to `end`. */
export interface Token {
  readonly kind: 'text' | 'comment' | 'doctype' | 'open' | 'close'
  readonly start: number
  readonly end: number
  /** Of a tag, in lower case; empty for the rest. */
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** Whether an opening tag ends in a slash. */
  readonly closed: boolean
}

/** An attribute; its value is from `start` to `end`, without its quotes. */
interface Attribute {
  /** In lower case. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** The quote around the value; empty where there is none. */
  readonly quote: string
}

/**
 * The token that begins at `at`, as the HTML Standard cuts it (13.2.5) outside
 * of raw text; null where the text ends before the token does, which a browser
 * drops. Unlike a reader of XML it is never surprised: every text has tokens.
 */
export function tokenAt(
  text: string,
  at: number,
  { xml }: { readonly xml: boolean },
): Token | null {
  if (text[at] !== '<' || !/[A-Za-z/!?]/.test(text[at + 1] ?? '')) return textToken(text, at)
  if (text[at + 1] === '!') return declaration(text, at, { xml })
  if (text[at + 1] === '?') return upTo(text, { at, kind: 'comment', mark: xml ? '?>' : '>' })
  if (text[at + 1] !== '/') return tag(text, at)
  if (/[A-Za-z]/.test(text[at + 2] ?? '')) return tag(text, at)
  return upTo(text, { at, kind: 'comment', mark: '>' })
}

/**
 * Up to the next character that may begin another token. White space before
 * other text is a token of its own: it alone may stand in a head.
 */
function textToken(text: string, at: number): Token {
  let end = at
  while (isSpace(text.charCodeAt(end))) end++
  if (end > at) return bare('text', { start: at, end })
  const opening = /<[A-Za-z/!?]/g
  opening.lastIndex = at + 1
  return bare('text', { start: at, end: opening.exec(text)?.index ?? text.length })
}

function declaration(text: string, at: number, { xml }: { xml: boolean }): Token | null {
  if (text.startsWith('<!--', at)) return comment(text, at)
  if (xml && text.startsWith('<![CDATA[', at)) return upTo(text, { at, kind: 'text', mark: ']]>' })
  if (!/^<!doctype/i.test(text.slice(at, at + 9)))
    return upTo(text, { at, kind: 'comment', mark: '>' })
  const subset = xml
    ? /^[^>"']*(?:"[^"]*"|'[^']*'|[^>"'[])*\[/.exec(text.slice(at, at + 1024))
    : null
  return upTo(text, { at, kind: 'doctype', mark: subset === null ? '>' : ']>' })
}

function comment(text: string, start: number): Token | null {
  const end = commentEnd(text, start + 4)
  return end === -1 ? null : bare('comment', { start, end: end + 1 })
}

function upTo(
  text: string,
  { at, kind, mark }: { at: number; kind: Token['kind']; mark: string },
): Token | null {
  const found = text.indexOf(mark, at + 2)
  return found < 0 ? null : bare(kind, { start: at, end: found + mark.length })
}

function bare(kind: Token['kind'], { start, end }: { start: number; end: number }): Token {
  return { kind, start, end, name: '', attributes: [], closed: false }
}

function tag(text: string, start: number): Token | null {
  const kind = text[start + 1] === '/' ? 'close' : 'open'
  const from = start + (kind === 'close' ? 2 : 1)
  const nameEnd = endOfName(text, from)
  const attributes: Attribute[] = []
  const end = tagEnd(text, nameEnd, (nameFrom, nameTo, start, to, quoted) => {
    const name = text.slice(nameFrom, nameTo).toLowerCase()
    attributes.push({ name, start, end: to, quote: quoted ? text[to]! : '' })
  })
  if (end === -1) return null
  const name = text.slice(from, nameEnd).toLowerCase()
  return { kind, start, end: end + 1, name, attributes, closed: text[end - 1] === '/' }
}

/** Elements whose content holds no tags but their own closing one. HTML Standard, 13.2.6. */
const raw = new Set(
  'script style title textarea xmp iframe noembed noframes noscript plaintext'.split(' '),
)

/** Whether what follows this opening tag is raw text. */
export function beginsRawText(name: string): boolean {
  return raw.has(name)
}

/**
 * Where raw text ends that begins at `at`: at its closing tag, or where the
 * text ends. XHTML may hide a closing tag in a CDATA section.
 */
export function rawTextEnd(
  text: string,
  { name, at, xml }: { readonly name: string; readonly at: number; readonly xml: boolean },
): number {
  if (name === 'plaintext') return text.length
  if (name === 'script' && !xml) return scriptEnd(text, at)
  const marks = new RegExp(`${xml ? '<!\\[CDATA\\[|' : ''}</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  marks.lastIndex = at
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0].startsWith('</')) return found.index
    const after = text.indexOf(']]>', marks.lastIndex)
    if (after < 0) break
    marks.lastIndex = after
  }
  return text.length
}

/**
 * The end of a script. `<!--` begins a stretch in which a script within the
 * script does not end it. HTML Standard, 13.2.5.15 to 13.2.5.31.
 */
function scriptEnd(text: string, at: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi
  marks.lastIndex = at
  let inside: 'script' | 'comment' | 'inner script' = 'script'
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '<!--') {
      if (inside === 'script') inside = 'comment'
      // Its dashes may be those of the end: `<!-->`.
      marks.lastIndex = found.index + 2
    } else if (found[0] === '-->') inside = 'script'
    else if (found[1] === '') inside = inside === 'comment' ? 'inner script' : inside
    else if (inside !== 'inner script') return found.index
    else inside = 'comment'
  }
  return text.length
}

/** The attribute of this name: the first, as browsers have it. */
export function attributeOf(token: Token, name: string): Attribute | undefined {
  return token.attributes.find((each) => each.name === name)
}

/**
 * The value of an attribute with its numeric character references read;
 * undefined where the tag has none of this name. Named references are left as
 * they are: none is needed to write a name or a content.
 */
export function attributeValue(
  text: string,
  { token, name }: { readonly token: Token; readonly name: string },
): string | undefined {
  const attribute = attributeOf(token, name)
  if (attribute === undefined) return undefined
  return text
    .slice(attribute.start, attribute.end)
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}
