import { humanDuration, humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { VisitRange, VisitRecord } from '../../model/visit-record.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { counted, humanBytes } from '../text/numbers.js'
import { AlignedTable, jsonArray } from '../text/table.js'
import { parseDate } from '../text/time.js'

export interface HistoryFlags extends CrawlerFlags {
  readonly last?: string
  readonly from?: string
  readonly until?: string
}

/** `revisit history URL`: the visits of a page. */
export async function historyCommand(
  environment: Environment,
  { address, flags }: { address: string; flags: HistoryFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  return withStore(
    made,
    async (store) => {
      const page = await namedPage(made, { store, address })
      const { newest, ...time } = visitRange(flags)
      const isTimed = Object.keys(time).length > 0
      // Of a stretch of time all are read, since how many there are is told too.
      const found = await store.visitsOf(page, isTimed || newest === undefined ? time : { newest })
      const visits = newest === undefined ? found : found.slice(-newest)
      if (flags.json === true) environment.out.write(jsonArray(visits))
      else
        writeTable(environment, {
          visits,
          all: page.visits,
          inTime: isTimed ? found.length : page.visits,
        })
      return exitCode.done
    },
    { readOnly: true },
  )
}

function visitRange({ last, from, until, json }: HistoryFlags): VisitRange {
  const newest = last ?? (json === true ? 'all' : '50')
  if (newest !== 'all' && !/^[1-9]\d{0,14}$/.test(newest))
    throw new OptionError('bad-last', `--last takes a whole number from 1, or all; got "${newest}"`)
  return {
    ...(newest === 'all' ? {} : { newest: Number(newest) }),
    ...dateRange({ from, until }),
  }
}

/** `--from` and `--until` as times. */
export function dateRange({
  from,
  until,
}: {
  readonly from: string | undefined
  readonly until: string | undefined
}): { from?: number; until?: number } {
  return {
    ...(from === undefined ? {} : { from: parseDate(from, { option: '--from', zone: 0 }) }),
    ...(until === undefined ? {} : { until: parseDate(until, { option: '--until', zone: 0 }) }),
  }
}

function writeTable(
  { out }: Environment,
  { visits, all, inTime }: { visits: readonly VisitRecord[]; all: number; inTime: number },
): void {
  const table = new AlignedTable(
    [
      { title: 'visited', align: 'left' },
      { title: 'outcome', align: 'left' },
      { title: 'status', align: 'left' },
      { title: 'after', align: 'left' },
      { title: 'content age', align: 'left' },
      { title: 'received', align: 'right' },
      { title: 'took', align: 'left' },
    ],
    { write: (text) => out.write(text), room: undefined },
  )
  for (const visit of visits)
    table.row([
      humanTime(visit.at),
      visit.outcome,
      visit.fault ?? (visit.status === null ? '-' : String(visit.status)),
      visit.gap === null ? '-' : humanDuration(visit.gap),
      visit.contentAge === null ? '-' : humanDuration(visit.contentAge),
      humanBytes(visit.bytes),
      humanDuration(visit.duration),
    ])
  table.end()
  const more = visits.length < inTime ? ` of ${inTime}; --last all shows the rest` : ''
  const outside = inTime < all ? `; ${all - inTime} outside the time asked for` : ''
  out.write(`\n${counted(visits.length, 'visit')}${more}${outside}\n`)
}
