import { humanDuration, humanTime } from '../../model/duration.js'
import { given } from '../../model/given.js'
import type { VisitRange, VisitRecord } from '../../model/visit-record.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { jsonArray } from '../text/json.js'
import { counted, humanBytes, parseCountOrAll } from '../text/numbers.js'
import { columns, tableText } from '../text/table.js'
import { parseDate } from '../text/time.js'

const options = [
  ['--last <count>', 'the newest so many, or all (default: 50; with --json all)', parseCountOrAll],
  ['--from <date>', 'only from this date on', parseDate],
  ['--until <date>', 'only before this date', parseDate],
] as const

type HistoryFlags = FlagsOf<typeof options> & CrawlerFlags

/** `revisit history URL`: the visits of a page. */
export const historyCommand = storeCommand({
  description: 'The visits of a page, the oldest first.',
  arguments: [['<URL>', 'the address of the page']],
  options,
  run: (environment, [address], flags) => history(environment, { address, flags }),
})

async function history(
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
      // Of a stretch of time all are read, since how many there are is printed too.
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
  const newest = last ?? (json === true ? Infinity : 50)
  return given({ newest: newest === Infinity ? undefined : newest, from, until })
}

function writeTable(
  { out }: Environment,
  { visits, all, inTime }: { visits: readonly VisitRecord[]; all: number; inTime: number },
): void {
  const titles = ['visited', 'outcome', 'status', 'after', 'content age', '>received', 'took']
  const rows = visits.map((visit) => [
    humanTime(visit.at),
    visit.outcome,
    visit.fault ?? (visit.status === null ? '-' : String(visit.status)),
    visit.gap === null ? '-' : humanDuration(visit.gap),
    visit.contentAge === null ? '-' : humanDuration(visit.contentAge),
    humanBytes(visit.bytes),
    humanDuration(visit.duration),
  ])
  out.write(tableText({ columns: columns(...titles), rows }))
  const more = visits.length < inTime ? ` of ${inTime}; --last all shows the rest` : ''
  const outside = inTime < all ? `; ${all - inTime} outside the time asked for` : ''
  out.write(`\n${counted(visits.length, 'visit')}${more}${outside}\n`)
}
