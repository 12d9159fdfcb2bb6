import type { FetchRequest, PageRecord } from '../model/index.js'
import type { CycleParts } from './cycle-parts.js'
import { doubtOf } from './doubt.js'

/** What a page's server is asked: whether it changed, or now and then for all of it, by the share `doubt`. */
export function requestFor(
  page: PageRecord,
  { reader, random, validatorsFor }: CycleParts,
  doubt: number,
): FetchRequest {
  const { headers, browser } = page.settings
  const unconditional =
    page.fingerprint === null ||
    reader.isCurrent?.(page) === false ||
    random.uniform() < doubtOf(page, doubt)
  const validators = validatorsFor?.(page) ?? page.validators
  const request: FetchRequest = { url: page.movedTo ?? page.url, validators, unconditional }
  if (headers === undefined && browser !== true) return request
  return {
    ...request,
    ...(headers === undefined ? {} : { headers }),
    ...(browser === true ? { drawn: true } : {}),
  }
}
