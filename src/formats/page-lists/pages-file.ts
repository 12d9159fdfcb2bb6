import type { PageSettings } from '../../model/page.js'
import type { Json } from '../../model/units.js'
import { isRecord, ListedPages, type PageList, textsOf } from './wanted-page.js'

/** Rules of reading that stand beside the address, as the options of `watch` do. */
const readingNames = [
  'compare',
  'bits',
  'pixels',
  'select',
  'ignore',
  'ignoreText',
  'ignoreLines',
  'ignorePaths',
  'appear',
  'disappear',
]
const listNames = new Set(readingNames.slice(3))
const settingNames = [
  'policy',
  'objective',
  'hours',
  'shortest',
  'longest',
  'headers',
  'noiseCheck',
  'browser',
  'steps',
  'screenshot',
  'proxy',
  'title',
  'discover',
  'hideNewTexts',
  'mute',
]

/**
 * Pages as a person keeps them in a file: a list, or a list under `pages`, of
 * addresses or of `{url, group, tags, ...}` with the options of `watch` by
 * their names. Gaps are in seconds.
 */
export function readPagesFile(value: unknown): PageList | null {
  const list = isRecord(value) ? value.pages : value
  if (
    !Array.isArray(list) ||
    !list.every(
      (each) => typeof each === 'string' || (isRecord(each) && typeof each.url === 'string'),
    )
  )
    return null
  const listed = new ListedPages()
  for (const each of list)
    take(typeof each === 'string' ? { url: each } : (each as Record<string, unknown>), listed)
  return listed.as('pages file')
}

function take(entry: Readonly<Record<string, unknown>>, listed: ListedPages): void {
  const url = String(entry.url)
  const reading: Record<string, unknown> = {}
  const settings: Record<string, unknown> = {}
  const page: { group?: string; tags?: readonly string[]; importance?: number } = {}
  for (const [written, value] of Object.entries(entry)) {
    const name = written.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    if (name === 'url') continue
    if (name === 'group' && typeof value === 'string') page.group = value
    else if (name === 'tags' || name === 'tag') page.tags = textsOf(value)
    else if (name === 'importance' && typeof value === 'number') page.importance = value
    else if (readingNames.includes(name))
      reading[name] = listNames.has(name) ? textsOf(value) : value
    else if (settingNames.includes(name)) settings[name] = value
    else listed.leave(url, `${written} is no option of a page`)
  }
  const rules = Object.keys(reading).length === 0 ? {} : { reading: reading as Json }
  listed.pages.push({ url, ...page, settings: { ...settings, ...rules } as PageSettings })
}
