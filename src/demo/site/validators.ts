import type { IncomingHttpHeaders } from 'node:http'
import { DAY, type Seconds, type UnixSeconds } from '../../model/index.js'
import { shareOf } from '../chance.js'
import type { LivePage } from './live-page.js'

/** What a server tells of one rendering. */
export interface Told {
  readonly etag?: string
  /** Whole seconds, as HTTP dates are. */
  readonly lastModified?: UnixSeconds
}

/** How far back a random date lies on average. */
const randomSpread: Seconds = 30 * DAY

/** Validators as the page's server sends them, lies and all. */
export function toldOf(
  page: LivePage,
  { at, version, seed }: { at: UnixSeconds; version: number; seed: number },
): Told {
  const { etag, lastModified } = page.plan.telling
  const date = {
    honest: () => page.lastChangeAt(at),
    missing: () => undefined,
    stuck: () => page.firstDate,
    now: () => at,
    random: () => at + randomSpread * Math.log(1 - shareOf(seed, page.plan.number, at * 1000, 10)),
  }[lastModified]()
  return {
    ...(etag ? { etag: page.etagOf(version) } : {}),
    ...(date === undefined ? {} : { lastModified: Math.floor(date) }),
  }
}

/**
 * Whether a conditional request names what is told now (RFC 9110, 13.2.2:
 * If-None-Match decides alone where it is given). A date is whole seconds, so
 * two changes within one second look alike to it, as they do on the real web.
 */
export function namesWhatIsTold(headers: IncomingHttpHeaders, told: Told): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined)
    return told.etag !== undefined && (tags.trim() === '*' || opaqueTags(tags).includes(told.etag))
  const since = Date.parse(headers['if-modified-since'] ?? '') / 1000
  return told.lastModified !== undefined && told.lastModified <= since
}

/** Weak comparison: whether a tag is called weak does not matter. */
function opaqueTags(list: string): string[] {
  return [...list.matchAll(/"[^"]*"/g)].map(([tag]) => `W/${tag}`)
}
