import { inflateRawSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import { unpackedText } from '../charset.js'
import { readBookmarks } from './bookmarks.js'
import { readChangedetection } from './changedetection.js'
import { readPagesFile } from './pages-file.js'
import { readUrlwatch } from './urlwatch.js'
import type { PageList } from './wanted-page.js'

/** Of a file in an archive: its JSON is a few kilobytes a watch. */
const mostUnpacked = 64 * 1024 * 1024

/**
 * A list of pages with their settings, known by its content: jobs of urlwatch,
 * the backup or export of changedetection.io, bookmarks, or a pages file. Null
 * where it is none of these.
 */
export function readPageList(bytes: Uint8Array): PageList | null {
  const watches = fileInZip(bytes, 'url-watches.json')
  const text = unpackedText(watches ?? bytes)
  if (/^\s*[{[]/.test(text)) {
    const value = parsedJson(text)
    return value === undefined ? null : (readChangedetection(value) ?? readPagesFile(value))
  }
  return readBookmarks(text) ?? (looksLikeYaml(text) ? readYaml(text) : null)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A list of addresses is no YAML that says anything: some key stands at the beginning of a line. */
function looksLikeYaml(text: string): boolean {
  return (
    /^\s*(-\s+)?(url|navigate|command|name|kind|pages)\s*:/m.test(text) || /^pages:\s*$/m.test(text)
  )
}

/** Null where it is no YAML, or one whose aliases would grow beyond bounds. */
function readYaml(text: string): PageList | null {
  const documents = parseAllDocuments(text)
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return null
  try {
    const values: unknown[] = documents.map((each) => each.toJS({ maxAliasCount: 100 }))
    return (values.length === 1 ? readPagesFile(values[0]) : null) ?? readUrlwatch(values)
  } catch {
    return null
  }
}

/** A file in a zip archive by the end of its name; null where it is no archive or has none. */
function fileInZip(bytes: Uint8Array, name: string): Uint8Array | null {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The end of the directory is the last thing in the file but for a remark of at most 64 KB.
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 65_557); end--) {
    if (view.getUint32(end, true) !== 0x06054b50) continue
    return entryIn(bytes, {
      view,
      name,
      at: view.getUint32(end + 16, true),
      count: view.getUint16(end + 10, true),
    })
  }
  return null
}

function entryIn(
  bytes: Uint8Array,
  { view, name, at, count }: { view: DataView; name: string; at: number; count: number },
): Uint8Array | null {
  let place = at
  for (let i = 0; i < count && place + 46 <= bytes.length; i++) {
    const [nameLength, extra, remark] = [28, 30, 32].map((offset) =>
      view.getUint16(place + offset, true),
    )
    const found = new TextDecoder().decode(bytes.subarray(place + 46, place + 46 + nameLength!))
    if (found === name || found.endsWith(`/${name}`)) {
      const local = view.getUint32(place + 42, true)
      const size = view.getUint32(place + 20, true)
      const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
      const packed = bytes.subarray(from, from + size)
      return view.getUint16(place + 10, true) === 0
        ? packed
        : inflateRawSync(packed, { maxOutputLength: mostUnpacked })
    }
    place += 46 + nameLength! + extra! + remark!
  }
  return null
}
