import { wideCharset } from '../formats/charset.js'
import { feedOf } from '../formats/feed/read-feed.js'
import { OptionError } from '../model/errors.js'

/** How a content is read: as a page, as text, or not at all. */
export type MediaKind = 'html' | 'text' | 'binary'

const textual =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|javascript|ecmascript|x-ndjson|yaml|toml|rss|atom)\b|\+(?:xml|json)$/i

/**
 * What a content is, by its type and its first bytes. What calls itself text
 * and has a NUL there (and is not UTF-16, which shows at its start) is binary;
 * what has no type is a page if it begins like one.
 */
export function mediaKind(bytes: Uint8Array, contentType = ''): MediaKind {
  const head = bytes.subarray(0, 1024)
  const wide = wideCharset(head)
  const isWide = wide !== undefined || /charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType)
  if (head.includes(0) && !isWide) return 'binary'
  const type = contentType.split(';')[0]!.trim()
  if (/^(?:text\/html|application\/xhtml\+xml)$/i.test(type)) return 'html'
  if (type !== '') return textual.test(type) ? 'text' : 'binary'
  const start = new TextDecoder(wide ?? 'latin1').decode(head).trimStart().toLowerCase()
  return /^<(?:!doctype html|html|head|body)\b/.test(start) ? 'html' : 'text'
}

/** A name, a place in an array, `*` for any one of them, or `**` for any depth. */
export type JsonPath = readonly string[]

const part = /(\.\.)|\.?([^.[\]]+)|\[(?:(\d+|\*)|"([^"]*)"|'([^']*)')\]/gy

/** Reads a path such as `$.items[*].time`, `$..id` or `meta["made at"]`. */
export function checkedPath(text: string): JsonPath {
  const rest = text.trim().replace(/^\$/, '')
  const path: string[] = []
  part.lastIndex = 0
  let read = 0
  for (const found of rest.matchAll(part)) {
    read += found[0].length
    path.push(found[1] === undefined ? (found[2] ?? found[3] ?? found[4] ?? found[5])! : '**')
  }
  if (path.length > 0 && read === rest.length && path.at(-1) !== '**') return path
  throw new OptionError(
    'bad-path',
    `"${text}" is no path in JSON; write it like $.items[*].time or $..id`,
  )
}

/**
 * The paths that go on below a step; an empty one among them means that the
 * step itself is meant. Each rest of a path once: there are no more of them
 * than parts, however often `..` stands in it.
 */
function stepped(paths: readonly JsonPath[], step: string): JsonPath[] {
  const below = new Map<string, JsonPath>()
  for (const path of paths) for (const rest of rests(path, step)) below.set(rest.join('\0'), rest)
  return [...below.values()]
}

function rests(path: JsonPath, step: string): JsonPath[] {
  if (path[0] === '**') return [path, ...rests(path.slice(1), step)]
  return path[0] === '*' || path[0] === step ? [path.slice(1)] : []
}

/** A number that a double does not hold to the last digit. */
const long = /(?<=[:[,\s])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?(?=[\s,\]}])/g

/**
 * JSON in one form, whatever the order of its names and its white space: one
 * value a line, without the paths that are left out. Null where it is no JSON
 * or too deep. Numbers of many digits stay as written.
 */
function jsonText(text: string, ignored: readonly JsonPath[]): string | null {
  try {
    const lines: string[] = []
    write(JSON.parse(text.replace(long, '"$&"')), { paths: ignored, name: '', lines })
    return lines.join('\n')
  } catch {
    return null
  }
}

function write(
  value: unknown,
  { paths, name, lines }: { paths: readonly JsonPath[]; name: string; lines: string[] },
): void {
  if (typeof value !== 'object' || value === null) {
    lines.push(name + JSON.stringify(value))
    return
  }
  const list = Array.isArray(value)
  lines.push(`${name}${list ? '[' : '{'}`)
  const keys = list ? [...value.keys()].map(String) : Object.keys(value).sort()
  for (const key of keys) {
    const below = paths.length === 0 ? paths : stepped(paths, key)
    if (below.some((path) => path.length === 0)) continue
    const inner = (value as Record<string, unknown>)[key]
    write(inner, { paths: below, name: list ? '' : `${JSON.stringify(key)}: `, lines })
  }
  lines.push(list ? ']' : '}')
}

/** Under any prefix; of a bounded length, so that a page cannot make the search quadratic. */
const opening = /<(?:[^\s<>:/]{1,50}:)?(?:rss|feed|rdf)[\s>]/i

/**
 * The items of a feed, one a line: address, name, title and date. Build dates
 * and all else that a feed is stamped with when it is made are no part of it.
 * Null where it is no feed.
 */
export function feedItemsText(text: string): string | null {
  if (!opening.test(text.slice(0, 2000))) return null
  const feed = feedOf(text)
  if (feed === null) return null
  const lines = feed.items.map(({ id, link, title, written }) =>
    [title, link, id, written.published ?? written.updated]
      .map((each) => (each ?? '-').replace(/\s+/g, ' '))
      .join(' | '),
  )
  return [feed.title ?? '', ...lines].join('\n')
}

/** JSON and feeds by what they hold, other text as it is. */
export function plainText(
  whole: string,
  {
    contentType = '',
    ignored = [],
  }: { readonly contentType?: string | undefined; readonly ignored?: readonly JsonPath[] },
): string {
  if (/json/i.test(contentType)) return jsonText(whole, ignored) ?? whole
  return feedItemsText(whole) ?? whole
}

/** An answer with content. */
interface HasBody {
  readonly body: Uint8Array
}

/** Texts of PDF answers read beforehand; gone with the answers. */
const texts = new WeakMap<HasBody, string>()
/** More than that is compared by its bytes: reading it would hold up everything else. */
const largest = 5 * 1024 * 1024

export function isPdf({ body }: HasBody): boolean {
  return body[0] === 0x25 && body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46
}

/** The text of a PDF that was read beforehand; undefined where it was not or could not be. */
export function pdfTextOf(answer: HasBody): string | undefined {
  return texts.get(answer)
}

/**
 * Reads the text of a PDF by `unpdf`, an optional package. Where that is not
 * there or cannot read it, there is none, and the page is compared by its
 * bytes. Never throws, and may never end: nested forms take exponential time,
 * and no timer fires meanwhile. Whoever calls this does so on a thread that
 * can be terminated.
 */
export async function readPdf(answer: HasBody): Promise<void> {
  if (!isPdf(answer) || answer.body.length > largest) return
  const text = await extracted(answer.body).catch(() => null)
  if (text !== null && text.trim() !== '') texts.set(answer, text)
}

async function extracted(body: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  // A copy: what is given is taken away from its owner.
  // Its warnings about a page's bytes would go to our own output.
  const document = await getDocumentProxy(Uint8Array.from(body), { verbosity: 0 })
  // One page that fails must not leave the others at work.
  const { text } = await extractText(document, { mergePages: false }).finally(() => {
    void document.destroy()
  })
  return text.map((page) => page.replace(/[^\S\n]+/g, ' ').trim()).join('\n')
}
