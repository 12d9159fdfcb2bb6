import { humanTime, type UnixSeconds } from '../../model/index.js'
import { escapeMarkup } from '../text/escape.js'
import type { LiveSite } from './live-site.js'
import { toldOf } from './validators.js'

/** The site's sitemap (sitemaps.org 0.9). A page has the lastmod that its server tells, true or not. */
export function sitemapXml(site: LiveSite, at: UnixSeconds): string {
  const entries = site.listed(at).map((page) => {
    const { lastModified } = toldOf(page, { at, version: 0, seed: site.seed })
    const lastmod =
      lastModified === undefined ? '' : `<lastmod>${humanTime(lastModified)}</lastmod>`
    return `<url><loc>${escapeMarkup(site.urlOf(page))}</loc>${lastmod}</url>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}
