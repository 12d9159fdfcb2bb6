import { closedFolder } from '../plan/name.js'
import type { LiveSite } from './live-site.js'

/** The site's robots.txt (RFC 9309, with the usual Crawl-delay and Sitemap lines). */
export function robotsTxt(site: LiveSite): string {
  const closed = site.pages.some(({ plan }) => plan.access.kind === 'disallowed')
  return [
    '# What robots may visit here',
    'User-agent: *',
    closed ? `Disallow: ${closedFolder}` : 'Disallow:',
    ...(closed ? ['Crawl-delay: 2'] : []),
    '',
    `Sitemap: ${site.base}/sitemap.xml`,
    '',
  ].join('\n')
}
