import type { HintTally, Json } from '../../model/index.js'
import { noTally } from './hint-tally.js'

/** As an array: a million pages keep a few each. What guessing goes by is left out while it is the same. */
export function tallyJson({ foretold, right, changed, lead, recent }: HintTally): Json {
  const four = [foretold, right, changed, Math.round(lead * 1e4) / 1e4]
  return recent === undefined ? four : [...four, recent.foretold, recent.changed]
}

/**
 * A tally from a row. Rows from before visits were counted in full hold what
 * guessing went by, with halves in it: counting goes on from there.
 */
export function tallyFrom(json: Json | undefined): HintTally {
  if (!Array.isArray(json)) return noTally
  const [foretold, right, changed, lead, newer = foretold, found = changed] =
    json as readonly Json[]
  const recent = { foretold: amount(newer), changed: Math.min(amount(newer), amount(found)) }
  const count = Math.round(amount(foretold))
  const tally = {
    foretold: count,
    right: Math.min(count, Math.round(amount(right))),
    changed: Math.min(count, Math.round(amount(changed))),
    lead: typeof lead === 'number' && Number.isFinite(lead) ? lead : 0,
  }
  const same = recent.foretold === tally.foretold && recent.changed === tally.changed
  return same ? tally : { ...tally, recent }
}

/** A count or a sum of them; 0 for anything else. */
export function amount(json: Json | undefined): number {
  return typeof json === 'number' && json >= 0 && json < 1e9 ? json : 0
}
