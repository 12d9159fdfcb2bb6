import type { Cycle, RunOptions, Steward } from '../../engine/index.js'
import { type Clock, HOUR } from '../../model/index.js'

/** How often it is asked whether there is something to do. */
const again = HOUR

/**
 * Looks after a collection beside the loop until told to stop: at once where
 * it is due, then when a day has passed or the pages or the budget changed.
 */
async function tending(
  steward: Steward,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    if (await steward.isDue(clock.now())) await steward.tend({ now: clock.now(), signal })
    if (!signal.aborted) await clock.sleep(again, signal)
  }
}

/** What goes on beside the visits of a loop. */
export interface Tended {
  /** Before the first visit. */
  begin(): Promise<void>
  tend(signal: AbortSignal): Promise<void>
}

/** A collection looked after by its steward. */
export function tendedBy(steward: Steward, clock: Clock): Tended {
  return {
    begin: () => steward.begin(clock.now()),
    tend: (signal) => tending(steward, { clock, signal }),
  }
}

/** Runs a loop with what goes on beside it; a failure of either ends both. */
export async function runTended(
  cycle: Pick<Cycle, 'run'>,
  tended: Tended,
  options: RunOptions,
): Promise<void> {
  await tended.begin()
  const ended = new AbortController()
  const failed = new AbortController()
  const beside = tended.tend(ended.signal)
  beside.catch(() => failed.abort())
  const signals = [failed.signal, ...(options.signal === undefined ? [] : [options.signal])]
  try {
    await cycle.run({ ...options, signal: AbortSignal.any(signals) })
  } finally {
    ended.abort()
    await beside
  }
}
