import { humanDuration, type StoreHealth, type UnixSeconds } from '../../../model/index.js'
import type { RunTally } from '../../live/run-tally.js'
import { counted } from '../../text/counted.js'
import { humanBytes } from '../../text/human-bytes.js'
import { humanMoment } from '../../text/human-moment.js'

/** What a run came to, in one sentence. */
export function closingText({
  tally,
  health,
  now,
}: {
  readonly tally: RunTally
  readonly health: StoreHealth
  readonly now: UnixSeconds
}): string {
  const { visits, changes, notModified, failed, bytes, since } = tally
  const done = `${counted(visits, 'visit')}, ${counted(changes, 'change')}, ${notModified} not modified, ${failed} failed; ${humanBytes(bytes)} in ${humanDuration(now - since)}`
  return `${done}; ${next(health, now)}`
}

function next({ dueNow, oldestDue }: StoreHealth, now: UnixSeconds): string {
  if (dueNow > 0)
    return `${counted(dueNow, 'page')} still due, whose hosts rest or were not reached`
  return oldestDue === null
    ? 'nothing is due any more'
    : `the next is due ${humanMoment(oldestDue, now)}`
}
