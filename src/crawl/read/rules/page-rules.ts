import { hash } from 'node:crypto'
import type { PageRecord } from '../../../model/index.js'
import { type Mask, noiseOf } from '../../noise/noise.js'
import { checkedExpression } from './checked-expression.js'
import { checkedPath, type JsonPath } from './json-path.js'
import { type Comparison, defaultBits, type ReadingRules, readingRules } from './reading-rules.js'

/** A page's rules, ready to be used. */
export interface PageRules {
  readonly compare: Comparison
  readonly select: readonly string[]
  readonly ignore: readonly string[]
  readonly lines: readonly RegExp[]
  readonly matches: readonly RegExp[]
  readonly paths: readonly JsonPath[]
  readonly appear: readonly string[]
  readonly disappear: readonly string[]
  readonly masks: readonly Mask[]
  /** Stands before fingerprints made by these rules; nothing for the usual ones. */
  readonly mark: string
}

/** Whether nothing counts but words that appear or disappear. */
export function waitsForWords({ appear, disappear }: PageRules): boolean {
  return appear.length + disappear.length > 0
}

/** Pages without rules of their own, for who needs the usual ones in the same form. */
export const usualRules: PageRules = prepared({}, { masks: [], key: '' })

/** Rules made ready, by what a page's record holds of them; the last thousand. */
const ready = new Map<string, PageRules>()
const most = 1000

/** How a page is read; null where it has no rules of its own. Throws an OptionError for bad ones. */
export function pageRules(page: PageRecord | undefined): PageRules | null {
  const reading = page?.settings.reading ?? undefined
  const { masks } = noiseOf(page?.noise)
  // A page drawn by a browser is not to be compared with its bare HTML.
  const drawn = page?.settings.browser === true ? ['drawn'] : []
  if (reading === undefined && masks.length + drawn.length === 0) return null
  const bare = masks.map(({ example: _, ...rest }) => rest)
  const key = JSON.stringify([reading ?? null, bare, ...drawn])
  const known = ready.get(key)
  if (known !== undefined) return known
  const made = prepared(readingRules(reading), { masks, key })
  if (ready.size >= most) for (const oldest of ready.keys()) if (ready.delete(oldest)) break
  ready.set(key, made)
  return made
}

function prepared(
  rules: ReadingRules,
  { masks, key }: { masks: readonly Mask[]; key: string },
): PageRules {
  const compare = rules.compare ?? 'text'
  const [appear, disappear] = [rules.appear ?? [], rules.disappear ?? []]
  const kind =
    appear.length + disappear.length > 0
      ? 'w'
      : compare === 'near-duplicate'
        ? `n${rules.bits ?? defaultBits}`
        : 'r'
  return {
    compare,
    select: rules.select ?? [],
    ignore: rules.ignore ?? [],
    lines: (rules.ignoreLines ?? []).map(checkedExpression),
    matches: (rules.ignoreText ?? []).map(checkedExpression),
    paths: (rules.ignorePaths ?? []).map(checkedPath),
    appear,
    disappear,
    masks,
    mark: `${kind}.${hash('sha256', key, 'hex').slice(0, 10)}:`,
  }
}
