import { humanDuration, type StoreHealth, type UnixSeconds } from '../../model/index.js'
import { counted } from '../text/counted.js'
import { humanBytes } from '../text/human-bytes.js'
import { humanMoment } from '../text/human-moment.js'
import { shortened } from '../text/shortened.js'
import { fittedVisits } from './fitted-visits.js'
import type { RunTally } from './run-tally.js'
import type { VisitWords } from './visit-line.js'

export interface Status {
  readonly tally: RunTally
  readonly health: StoreHealth
  readonly underWay: number
  readonly now: UnixSeconds
  /** What was last visited. */
  readonly last: readonly VisitWords[]
  /** What a person should know just now, such as that it is stopping. */
  readonly note?: string | undefined
}

/** The live view as lines that fit the terminal: what is due, what is done, what came last. */
export function statusLines(status: Status, { columns }: { readonly columns: number }): string[] {
  const { tally, health, now } = status
  const next =
    health.dueNow === 0 && health.oldestDue !== null
      ? `  next ${humanMoment(health.oldestDue, now)}`
      : ''
  const lines = [
    `${counted(health.pages, 'page')} on ${counted(health.hosts, 'host')}  running for ${humanDuration(Math.max(1, Math.round(now - tally.since)))}`,
    `due ${health.dueNow}  in flight ${status.underWay}${next}`,
    `visits ${tally.visits} (${perSecond(tally.visitsPerSecond(now))})  changes ${tally.changes}  304 ${percent(tally.notModifiedShare)}  failed ${tally.failed}  ${humanBytes(tally.bytes)}`,
    ...(status.note === undefined ? [] : [status.note]),
  ]
  // The last column stays free: some terminals go to the next line when it is written.
  const room = columns - 1
  return [
    ...lines.map((line) => shortened(line, room)),
    ...fittedVisits(status.last, room - 2).map((line) => `  ${line}`),
  ]
}

function perSecond(value: number): string {
  return `${value >= 10 ? Math.round(value) : Number(value.toFixed(1))}/s`
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}
