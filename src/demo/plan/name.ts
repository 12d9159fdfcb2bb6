import type { AccessKind } from './behaviour.js'

const first = [
  'amber',
  'birch',
  'copper',
  'delta',
  'ember',
  'fern',
  'granite',
  'hazel',
  'iron',
  'juniper',
]
const second = [
  'bridge',
  'corner',
  'field',
  'gate',
  'hill',
  'lane',
  'mill',
  'quay',
  'square',
  'tower',
]

/** Two words and, past a hundred, a number: no two pages of a site are called alike. */
function slugOf(index: number): string {
  const words = `${first[index % 10]}-${second[(index + Math.floor(index / 10)) % 10]}`
  return index < 100 ? words : `${words}-${Math.floor(index / 100) + 1}`
}

const folders: Readonly<Record<AccessKind, string>> = {
  plain: 'pages',
  slow: 'pages',
  gone: 'pages',
  failing: 'pages',
  disallowed: 'private',
  forbidden: 'members',
  moved: 'old',
}

/** The folder that robots.txt closes. */
export const closedFolder = `/${folders.disallowed}/`

export function pathOf({ index, access }: { index: number; access: AccessKind }): string {
  return index === 0 ? '/' : `/${folders[access]}/${slugOf(index)}`
}

export function titleOf({ index, site }: { index: number; site: string }): string {
  if (index === 0) return site
  return slugOf(index)
    .split('-')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
}
