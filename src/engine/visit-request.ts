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
  const asked = askedAddress(page)
  const { headers } = asked
  // Most pages have neither, and every visit comes through here: copying takes several times as long.
  if (headers === undefined && page.settings.browser !== true)
    return { url: asked.url, validators, unconditional }
  if (headers !== undefined) checkPageHeaders(headers)
  const request = { ...asked, validators, unconditional }
  return page.settings.browser === true ? { ...request, drawn: true } : request
}
