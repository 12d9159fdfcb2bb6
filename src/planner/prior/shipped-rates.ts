import type { RatePrior } from '../../estimators/prior/rate-prior.js'

/**
 * What Grimes & Ford's method assumes of a page where nothing was fitted on a
 * collection's own: the two pseudo-gaps, over log periods, of 298 of 1777
 * recorded histories, those that daily visits saw change 25 times (section 4.2). Made by
 * `node scripts/make-rate-prior.mjs updates.csv.gz objects.csv`; not to be edited by hand.
 * The evaluation never uses it: there each source is judged by what the other sources taught.
 */
export const shippedRates: RatePrior = {
  kind: 'pseudo-gaps',
  from: 'those of the histories shipped with Revisit',
  pseudoGaps: { changed: 947_000, unchanged: 67_700 },
}
