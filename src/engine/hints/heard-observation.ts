import { DAY, hintWeight, type Observation, type PageHints, withCalm } from '../../model/index.js'

/** A list this sure is taken at its word, as a believable Last-Modified is. */
const sure = 0.8
const kinds = ['sitemap', 'feed'] as const

/**
 * An observation with what a list told of it before the visit: until when it
 * still told of no change, and when the last one came. A page that is visited
 * because its list said "changed" is found changed at every visit; taken for
 * visits at any time, that would look as if it changed ever faster.
 */
export function heardObservation(
  observation: Observation,
  { kinds: told }: PageHints,
): Observation {
  if (!observation.changed) return observation
  const { at, gap } = observation
  const seenAt = at - gap
  for (const kind of kinds) {
    const { claim = null, worth, calmUntil } = told[kind] ?? {}
    if (claim?.says !== 'changed-at' || worth?.believed !== true) continue
    if (hintWeight(worth) < sure || !(claim.at > seenAt && claim.at <= at)) continue
    const calmFor = Math.max(0, Math.min(calmUntil ?? seenAt, claim.at) - seenAt)
    // Midnight sharp stands for the whole day.
    const dated = claim.at % DAY === 0 ? {} : { contentAge: at - claim.at }
    return withCalm({ ...dated, ...observation }, calmFor)
  }
  return observation
}
