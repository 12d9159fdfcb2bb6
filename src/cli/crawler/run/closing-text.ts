import { humanDuration, type StoreHealth, type UnixSeconds } from '../../../model/index.js'
import type { RunTally } from '../../live/run-tally.js'
import { counted } from '../../text/counted.js'
import { humanBytes } from '../../text/human-bytes.js'
import { humanMoment } from '../../text/human-moment.js'

/** What a run came to, in one sentence. */
export function closingText({
  tally,
  health,
  spent,
  now,
}: {
  readonly tally: RunTally
  readonly health: StoreHealth
  /** Whether the budget of requests is used up. */
  readonly spent: boolean
  readonly now: UnixSeconds
}): string {
  const { visits, changes, notModified, failed, bytes, since } = tally
  const done = `${counted(visits, 'visit')}, ${counted(changes, 'change')}, ${notModified} not modified, ${failed} failed; ${humanBytes(bytes)} in ${humanDuration(now - since)}`
  return `${done}; ${next(health, { spent, now })}`
}

function next(
  { dueNow, oldestDue }: StoreHealth,
  { spent, now }: { readonly spent: boolean; readonly now: UnixSeconds },
): string {
  if (dueNow > 0) {
    const due = `${counted(dueNow, 'page')} still due`
    return spent
      ? `${due}, with the day's budget of requests used up`
      : `${due}, whose hosts rest or were not reached`
  }
  return oldestDue === null
    ? 'nothing is due any more'
    : `the next is due ${humanMoment(oldestDue, now)}`
}
