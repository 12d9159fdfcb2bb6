import { humanTime, type UnixSeconds } from '../../model/index.js'
import { articleOf } from '../text/article.js'
import { escapeMarkup } from '../text/escape.js'
import type { LivePage } from './live-page.js'
import type { LiveSite } from './live-site.js'

const entriesShown = 20

/** The pages that changed last, newest first (Atom, RFC 4287). */
export function atomFeed(site: LiveSite, at: UnixSeconds): string {
  const newest = site
    .listed(at)
    .map((page) => ({ page, updated: page.lastChangeAt(at) }))
    .sort((a, b) => b.updated - a.updated)
    .slice(0, entriesShown)
  const title = escapeMarkup(site.plan.title)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${title}</title>`,
    `<id>${site.base}/</id>`,
    `<link rel="self" href="${site.base}/feed.xml"/>`,
    `<link href="${site.base}/"/>`,
    `<updated>${humanTime(newest[0]!.updated)}</updated>`,
    `<author><name>${title}</name></author>`,
    ...newest.map((each) => entry(site, { ...each, at })),
    '</feed>',
    '',
  ].join('\n')
}

function entry(
  site: LiveSite,
  { page, updated, at }: { page: LivePage; updated: UnixSeconds; at: UnixSeconds },
): string {
  const { headline, paragraphs } = articleOf(page.plan, {
    seed: site.seed,
    version: page.versionAt(at),
  })
  const url = escapeMarkup(site.urlOf(page))
  return [
    `<entry><title>${escapeMarkup(`${page.plan.title}: ${headline}`)}</title>`,
    `<id>${url}</id><link href="${url}"/>`,
    `<updated>${humanTime(updated)}</updated>`,
    `<summary>${escapeMarkup(paragraphs[0]!)}</summary></entry>`,
  ].join('')
}
