import type { FetchRequest, PageRecord } from '../model/index.js'
import { askedAddress } from './asked-address.js'
import type { CycleParts } from './cycle-parts.js'
import { doubtOf } from './doubt.js'

/** What a page's server is asked: whether it changed, or now and then for all of it, by the share `doubt`. */
export function requestFor(
  page: PageRecord,
  { reader, random, validatorsFor }: CycleParts,
  doubt: number,
): FetchRequest {
  const unconditional =
    page.fingerprint === null ||
    reader.isCurrent?.(page) === false ||
    random.uniform() < doubtOf(page, doubt)
  const validators = validatorsFor?.(page) ?? page.validators
  const request: FetchRequest = { ...askedAddress(page), validators, unconditional }
  return page.settings.browser === true ? { ...request, drawn: true } : request
}
