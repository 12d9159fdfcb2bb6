import { askedAddress } from '../../engine/index.js'
import { hostOf, type PageRecord } from '../../model/index.js'

/** The host that a visit of the page asks: its own, or that to which it has moved. */
export function askedHost(page: PageRecord): string {
  return hostOf(askedAddress(page).url)
}
