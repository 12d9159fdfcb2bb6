import { hostOf, type LoggedVisit } from '../../model/index.js'
import type { Conditions } from '../channel.js'
import type { NoticeType } from '../notice.js'
import { fitsPattern } from './url-pattern.js'

/** Whether a channel is about a page at all. */
export function concerns({ group, host, url }: Conditions, page: LoggedVisit['page']): boolean {
  if (group !== undefined && page.group !== group) return false
  if (host !== undefined && hostOf(page.url) !== host.toLowerCase()) return false
  return url === undefined || fitsPattern(page.url, url)
}

/** Whether it is to be told of this kind of thing. */
export function asksFor({ on, silentFor }: Conditions, type: NoticeType): boolean {
  if (type === 'silent') return silentFor !== undefined && (on?.includes('silent') ?? true)
  return on?.includes(type) ?? true
}
