import { DAY, type Declared } from '../../model/index.js'

/** The name of the tag. Hattab, section 3. */
export const tagName = 'Change-Frequency'

/**
 * The content of the tag in one of its three forms: `STATIC`, `PERIODIC=7`,
 * `nonuniform=3`. Periods are in whole days, one at least; a nonuniform page
 * of which no next change is known says `nonuniform`.
 *
 * Hattab, Example 1.
 */
export function tagContent(declared: Declared): string {
  if (declared.kind === 'static') return 'STATIC'
  if (declared.period === null) return 'nonuniform'
  const days = Math.max(1, Math.round(declared.period / DAY))
  return declared.kind === 'periodic' ? `PERIODIC=${days}` : `nonuniform=${days}`
}

/** Contents that can stand between quotes of either kind, and mean themselves. */
const plain = /^[\w=.%()+;: -]{1,100}$/

/** Whether a content can be written into a page as it is. */
export function isTagContent(content: string): boolean {
  return plain.test(content)
}

/** The whole tag. XHTML wants it closed; to HTML the slash means nothing. */
export function metaTag(
  content: string,
  { closed = false }: { readonly closed?: boolean } = {},
): string {
  return `<meta name="${tagName}" content="${content}"${closed ? ' /' : ''}>`
}
