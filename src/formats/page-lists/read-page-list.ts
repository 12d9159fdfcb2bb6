import { inflateRawSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import { unpackedText } from '../charset.js'
import { readBookmarks } from './bookmarks.js'
import { readChangedetection } from './changedetection.js'
import { readPagesFile } from './pages-file.js'
import { readUrlwatch } from './urlwatch.js'
import { isRecord, type PageList } from './wanted-page.js'

/** Of an archive: the JSON of a watch is a few kilobytes. */
const mostUnpacked = 64 * 1024 * 1024

/**
 * A list of pages with their settings, known by its content: jobs of urlwatch,
 * the backup or export of changedetection.io, bookmarks, or a pages file. Null
 * where it is none of these.
 */
export function readPageList(bytes: Uint8Array): PageList | null {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readBackup(bytes)
  const text = unpackedText(bytes)
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

/** Files of a backup of changedetection.io that say what is watched, by the ends of their names. */
const backedUp = /(^|\/)(url-watches|changedetection|watch|tag)\.json$/

/**
 * A backup of changedetection.io: all in url-watches.json, or since 2026 what
 * holds for all in changedetection.json, and each watch and tag in a folder of
 * its id.
 */
function readBackup(archive: Uint8Array): PageList | null {
  const watching: Record<string, unknown> = {}
  const tags: Record<string, unknown> = {}
  let whole: unknown
  for (const [name, bytes] of filesInZip(archive)) {
    const value = parsedJson(unpackedText(bytes))
    const [file, id = ''] = name.split('/').reverse()
    if (file === 'watch.json') watching[id] = value
    else if (file === 'tag.json') tags[id] = value
    else if (file === 'url-watches.json' || whole === undefined) whole = value
  }
  const top = isRecord(whole) ? whole : {}
  const settings = isRecord(top.settings) ? top.settings : {}
  const application = isRecord(settings.application) ? settings.application : {}
  return readChangedetection({
    ...top,
    watching: { ...(isRecord(top.watching) ? top.watching : {}), ...watching },
    settings: {
      ...settings,
      application: {
        ...application,
        tags: { ...(isRecord(application.tags) ? application.tags : {}), ...tags },
      },
    },
  })
}

/** The files in a zip archive that a backup is read from; none where it is no whole archive. */
function filesInZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  try {
    return directoryOf(bytes)
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code?.startsWith('Z_') === true)
      return new Map()
    throw error
  }
}

function directoryOf(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The end of the directory is the last thing in the file but for a remark of at most 64 KB.
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 65_557); end--) {
    if (view.getUint32(end, true) !== 0x06054b50) continue
    return entriesIn(bytes, {
      view,
      at: view.getUint32(end + 16, true),
      count: view.getUint16(end + 10, true),
    })
  }
  return new Map()
}

function entriesIn(
  bytes: Uint8Array,
  { view, at, count }: { view: DataView; at: number; count: number },
): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let place = at
  let left = mostUnpacked
  for (let i = 0; i < count && place + 46 <= bytes.length; i++) {
    const [nameLength, extra, remark] = [28, 30, 32].map((offset) =>
      view.getUint16(place + offset, true),
    )
    const name = new TextDecoder().decode(bytes.subarray(place + 46, place + 46 + nameLength!))
    if (backedUp.test(name)) {
      const local = view.getUint32(place + 42, true)
      const size = view.getUint32(place + 20, true)
      const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
      const packed = bytes.subarray(from, from + size)
      const file =
        view.getUint16(place + 10, true) === 0
          ? packed
          : inflateRawSync(packed, { maxOutputLength: Math.max(1, left) })
      left -= file.length
      files.set(name, file)
    }
    place += 46 + nameLength! + extra! + remark!
  }
  return files
}
