import { feedOf } from '../../../formats/index.js'

/** Under any prefix; of a bounded length, so that a page cannot make the search quadratic. */
const opening = /<(?:[^\s<>:/]{1,50}:)?(?:rss|feed|rdf)[\s>]/i

/**
 * The items of a feed, one a line: address, name, title and date. Build dates
 * and all else that a feed is stamped with when it is made are no part of it.
 * Null where it is no feed.
 */
export function feedItemsText(text: string): string | null {
  if (!opening.test(text.slice(0, 2000))) return null
  const feed = feedOf(text)
  if (feed === null) return null
  const lines = feed.items.map(({ id, link, title, written }) =>
    [title, link, id, written.published ?? written.updated]
      .map((each) => (each ?? '-').replace(/\s+/g, ' '))
      .join(' | '),
  )
  return [feed.title ?? '', ...lines].join('\n')
}
