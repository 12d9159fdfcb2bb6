import type { HintKind } from '../../model/index.js'

/** Kinds of hints that come by a list of their own, and not with the page. */
export const listedKinds: ReadonlySet<HintKind> = new Set(['sitemap', 'changefreq', 'feed'])

/** The name of that list: each site here has one. */
export const listName = 'list'
