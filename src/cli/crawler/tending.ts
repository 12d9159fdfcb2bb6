import type { Steward } from '../../engine/index.js'
import { type Clock, HOUR } from '../../model/index.js'

/** How often it is asked whether there is something to do. */
const again = HOUR

/**
 * Looks after a collection beside the loop until told to stop: at once where
 * it is due, then when a day has passed or the pages or the budget changed.
 */
export async function tending(
  steward: Steward,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    if (await steward.isDue(clock.now())) await steward.tend({ now: clock.now(), signal })
    if (!signal.aborted) await clock.sleep(again, signal)
  }
}
