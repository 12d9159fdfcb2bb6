import { checkPageHeaders, type FetchRequest, type PageRecord } from '../model/index.js'
import { askedAddress } from './asked-address.js'
import type { CycleParts } from './cycle-parts.js'
import { doubtOf } from './doubt.js'
import { asksHome } from './move-kept.js'

/** What a page's server is asked: whether it changed, or now and then for all of it, by the share `doubt`. */
export function requestFor(
  page: PageRecord,
  { reader, random, validatorsFor }: CycleParts,
  doubt: number,
): FetchRequest {
  const unconditional =
    page.fingerprint === null ||
    // What the other address told is nothing to this one.
    asksHome(page) ||
    reader.isCurrent?.(page) === false ||
    random.uniform() < doubtOf(page, doubt)
  const validators = validatorsFor?.(page) ?? page.validators
  const request: FetchRequest = { ...askedAddress(page), validators, unconditional }
  if (request.headers !== undefined) checkPageHeaders(request.headers)
  return page.settings.browser === true ? { ...request, drawn: true } : request
}
