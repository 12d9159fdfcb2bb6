import { DAY, type Seconds } from 'revisit/model'
import { bisect } from 'revisit/numeric'
import { overPages } from './lifetimes.js'

/**
 * Share of random pages, at a random time, whose copy equals the page as it
 * was at most `grace` ago, when every page is fetched each `revisitPeriod`.
 *
 * Within the grace after a fetch it is sure; later the page must not have
 * changed between the fetch and `grace` ago: for a change period t this gives
 * grace/I + (t/I)(1 - e^-(I - grace)/t), averaged over the pages.
 *
 * Brewington & Cybenko 2000, (alpha, beta)-currency.
 */
export function currentShare({
  revisitPeriod,
  grace,
}: {
  readonly revisitPeriod: Seconds
  readonly grace: Seconds
}): number {
  if (revisitPeriod <= grace) return 1
  return overPages(
    (changePeriod) =>
      (grace - changePeriod * Math.expm1((grace - revisitPeriod) / changePeriod)) / revisitPeriod,
  )
}

/** The longest revisit period that keeps a share of the pages current. */
export function reindexPeriod({
  share,
  grace,
}: {
  readonly share: number
  readonly grace: Seconds
}): Seconds {
  const excess = (revisitPeriod: Seconds) => currentShare({ revisitPeriod, grace }) - share
  return bisect(excess, { low: grace, high: 1000 * DAY })
}

/** Bits a second that it takes to fetch so many pages of so many bytes each `revisitPeriod`. */
export function bandwidth(crawl: {
  readonly pages: number
  readonly bytesPerPage: number
  readonly revisitPeriod: Seconds
}): number {
  return (crawl.pages * crawl.bytesPerPage * 8) / crawl.revisitPeriod
}
