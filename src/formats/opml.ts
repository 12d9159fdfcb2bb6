import { unpackedText } from './charset.js'
import { scanXml } from './markup/scan-xml.js'

/** One subscription of a reading list. */
export interface OpmlOutline {
  readonly title: string | null
  /** The feed. */
  readonly feedUrl: string | null
  /** The page it belongs to, or a plain link. */
  readonly pageUrl: string | null
}

/**
 * Reads the outlines of an OPML file that have an address; folders give only
 * what is in them. Null where it is no OPML. opml.org/spec2.opml. O(n).
 */
export function readOpml(bytes: Uint8Array, contentType?: string): readonly OpmlOutline[] | null {
  let isOpml = false
  const outlines: OpmlOutline[] = []
  scanXml(unpackedText(bytes, contentType), {
    open(name, attributes) {
      if (/^opml$/i.test(name)) isOpml = true
      if (!isOpml || !/^outline$/i.test(name)) return
      const outline = outlineOf(attributes)
      if (outline.feedUrl !== null || outline.pageUrl !== null) outlines.push(outline)
    },
  })
  return isOpml ? outlines : null
}

/** Attribute names differ in case from writer to writer. */
function outlineOf(attributes: Readonly<Record<string, string>>): OpmlOutline {
  const named = new Map(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const get = (name: string) => named.get(name)?.trim() || null
  return {
    title: get('title') ?? get('text'),
    feedUrl: get('xmlurl'),
    pageUrl: get('htmlurl') ?? get('url'),
  }
}
