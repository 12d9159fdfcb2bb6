import { DAY, OptionError, type Retention, type UnixSeconds } from '../model/index.js'

/** Enough to look back on; a busy page does not fill the disk. */
export const defaultRetention: Retention = { newest: 10, youngerThan: 30 * DAY }

/** Those of a page's versions, given newest first, that a rule lets go of. */
export function letGo<V extends { readonly at: UnixSeconds }>(
  newestFirst: readonly V[],
  { retention, now }: { readonly retention: Retention; readonly now: UnixSeconds },
): readonly V[] {
  const kept = Math.max(1, retention.newest)
  return newestFirst.slice(kept).filter(({ at }) => now - at >= retention.youngerThan)
}

/** Refuses a rule that means nothing. */
export function checkRetention({ newest, youngerThan }: Retention): void {
  if (newest >= 0 && youngerThan >= 0) return
  throw new OptionError(
    'bad-retention',
    `retention takes a number of versions and a time, neither below 0; got newest ${newest}, youngerThan ${youngerThan}`,
  )
}
