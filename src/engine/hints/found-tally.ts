import type { FoundPage, Json } from '../../model/index.js'

/** How many pages were found on a host, in all and of each shape. */
export interface FoundTally {
  pages: number
  readonly shapes: Record<string, number>
}

/** Shapes told apart; the rest share one. */
const mostShapes = 500
const usualLimit = 1000
/** One shape (a calendar, say) takes this share of the room at most, but a few in any case. */
const shapeShare = 0.5
const shapeLeast = 20

export function foundTally(json: Json | undefined): FoundTally {
  const { pages, shapes } = (json ?? {}) as { pages?: Json; shapes?: Json }
  const known = typeof shapes === 'object' && shapes !== null ? Object.entries(shapes) : []
  const counts = known.filter((each): each is [string, number] => typeof each[1] === 'number')
  return { pages: typeof pages === 'number' ? pages : 0, shapes: Object.fromEntries(counts) }
}

/** Whether one more page may be added; counts it if so. */
export function roomFor({ shape, settings }: FoundPage, tally: FoundTally): boolean {
  const limit = limitOf(settings)
  const known = Object.hasOwn(tally.shapes, shape)
  const name = known || Object.keys(tally.shapes).length < mostShapes ? shape : 'others'
  const alike = Object.hasOwn(tally.shapes, name) ? tally.shapes[name]! : 0
  const most = name === 'others' ? limit : Math.max(shapeLeast, shapeShare * limit)
  if (tally.pages >= limit || alike >= most) return false
  tally.pages++
  Object.defineProperty(tally.shapes, name, {
    value: alike + 1,
    enumerable: true,
    writable: true,
    configurable: true,
  })
  return true
}

function limitOf(settings: FoundPage['settings']): number {
  const { discover } = settings ?? {}
  const { pages } = (discover ?? {}) as { pages?: Json }
  return typeof pages === 'number' && pages >= 0 ? pages : usualLimit
}
