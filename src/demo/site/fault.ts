import { HOUR, type Seconds, type UnixSeconds } from '../../model/index.js'
import { shareOf } from '../chance.js'

/** What goes wrong at a failing page. */
export type Fault =
  | { readonly kind: 'error' }
  | { readonly kind: 'hang' }
  /** Busy: asks to come back when the spell is over. */
  | { readonly kind: 'busy'; readonly retryAfter: Seconds }

/** Trouble comes in spells of this length. */
const spell: Seconds = 6 * HOUR
const troubled = 0.25

/**
 * The fault of a failing page at a moment, if any: it depends on seed, page and
 * time, not on who asks how often. A quarter of its spells are troubled: half
 * of those by errors, the rest by a busy server or by none that answers.
 */
export function faultAt(
  at: UnixSeconds,
  { seed, page }: { readonly seed: number; readonly page: number },
): Fault | null {
  const number = Math.floor(at / spell)
  const draw = shareOf(seed, page, number, 9)
  if (draw >= troubled) return null
  if (draw < troubled / 2) return { kind: 'error' }
  if (draw < (troubled * 3) / 4)
    return { kind: 'busy', retryAfter: Math.ceil((number + 1) * spell - at) }
  return { kind: 'hang' }
}
