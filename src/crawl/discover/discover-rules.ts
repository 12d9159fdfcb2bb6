import type { Json, PageSettings } from '../../model/index.js'

/** How far pages are found from a page: a setting of that page, handed on to those it leads to. */
export interface DiscoverRules {
  /** Links to follow one after another from here on. */
  readonly depth: number
  /** Pages found on a host at most. */
  readonly pages: number
  /** Only addresses that one of these fits; all where there are none. */
  readonly include: readonly string[]
  /** No address that one of these fits. */
  readonly exclude: readonly string[]
}

export const defaultDiscovery: DiscoverRules = { depth: 3, pages: 1000, include: [], exclude: [] }

/** The role of a page that is followed for what it lists: a sitemap, an index or a feed. */
export const listRole = 'list'

export function isList({ role }: PageSettings): boolean {
  return role === listRole
}

/** The rules in a page's settings; null where it is not to lead to others. */
export function discoverRules({ discover }: PageSettings): DiscoverRules | null {
  if (typeof discover !== 'object' || discover === null || Array.isArray(discover)) return null
  const told = discover as { readonly [name: string]: Json | undefined }
  const number = (name: 'depth' | 'pages') => {
    const value = told[name]
    return typeof value === 'number' && value >= 0 ? value : defaultDiscovery[name]
  }
  const texts = (name: 'include' | 'exclude') => {
    const value = told[name]
    return Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : []
  }
  return {
    depth: number('depth'),
    pages: number('pages'),
    include: texts('include'),
    exclude: texts('exclude'),
  }
}
