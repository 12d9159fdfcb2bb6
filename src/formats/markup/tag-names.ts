import { endsName } from './html-tag.js'

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
