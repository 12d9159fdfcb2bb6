import { sql } from 'kysely'
import type { SetBack, TimesAhead } from '../../model/store.js'
import { DAY, type UnixSeconds } from '../../model/units.js'
import type { Database } from './file/database.js'

/** Clocks differ by as much, and are set right by as much. */
const slack = 60
/** No host rests longer, and no lease or channel is held longer, where nobody set it so. */
const longestRest = DAY
/** Far more than any page waits by a rule. */
const longestDue = 370 * DAY
/** Visits of one page that follow each other. */
const apart = 0.001

/** What was written at a time that is still to come; null where nothing was. Reads one row a host where all is well. */
export function timesAhead(db: Database, now: UnixSeconds): TimesAhead | null {
  const served = sql<{ found: number }>`
    select exists (select 1 from frontier where served > ${now + slack}) as found`
  if (db.once(served)[0]!.found === 0) return null
  const [visits] = db.once(sql<Omit<TimesAhead, 'added'>>`
    select count(*) as visits, min(at) as earliest, max(at) as latest
    from visits where at > ${now + slack}`)
  const [pages] = db.once(sql<{ added: number }>`
    select count(*) as added from pages where added_at > ${now + slack}`)
  return visits!.visits === 0 ? null : { ...visits!, ...pages! }
}

/**
 * Takes back what a clock that was ahead wrote, within a transaction. Visits
 * keep their order and the time between them: all are moved by as much, the
 * last one to now. Their pages are due now and learn anew from their visits.
 */
export function setBack(db: Database, now: UnixSeconds): SetBack {
  const ahead = timesAhead(db, now)
  const shift = ahead === null ? 0 : ahead.latest - now
  const pages = db.once(sql<AheadPage>`
    select id, last_at, last_seen, last_change, newest_visit from pages
    where last_at > ${now + slack} or last_seen > ${now + slack}`)
  let visits = 0
  for (const page of pages) visits += setBackPage(db, page, { now, shift })
  db.once(sql`update pages set added_at = ${now} where added_at > ${now + slack}`)
  db.once(sql`
    update pages set due = ${now}, reason = 'its due time was set by a clock that was ahead'
    where due > ${now + longestDue} and reason not like 'set by hand%'`)
  const hosts = db.once(sql<{ name: string }>`
    select name from hosts where blocked_until > ${now + longestRest} or id in (
      select host from frontier where served > ${now + slack})`)
  db.once(sql`
    update hosts set blocked_until = null where blocked_until > ${now + longestRest}`)
  db.once(sql`
    update frontier set blocked = (select blocked_until from hosts where hosts.id = host),
      served = min(served, ${now}),
      due = (select min(due) from pages
        where pages.collection = frontier.collection and pages.host = frontier.host)
    where served > ${now + slack} or blocked > ${now + longestRest} or due > ${now + longestDue}`)
  db.once(sql`delete from leases where expires > ${now + longestRest}`)
  db.once(sql`delete from chores where expires > ${now + longestRest}`)
  db.once(sql`update workers set since = min(since, ${now}), last_sign = min(last_sign, ${now})`)
  db.once(sql`
    update channels set added_at = min(added_at, ${now}),
      rests_until = iif(rests_until > ${now + longestRest}, null, rests_until),
      held_until = iif(held_until > ${now + longestRest}, null, held_until)`)
  db.once(sql`
    update deliveries set next_at = ${now}, made_at = min(made_at, ${now})
    where next_at > ${now + longestRest}`)
  return { pages: pages.length, visits, hosts: hosts.map(({ name }) => name) }
}

interface AheadPage {
  readonly id: number
  readonly last_at: number | null
  readonly last_seen: number | null
  readonly last_change: number | null
  readonly newest_visit: number | null
}

interface AheadVisit {
  readonly id: number
  readonly previous: number | null
  readonly at: number
  readonly gap: number | null
}

function setBackPage(
  db: Database,
  page: AheadPage,
  { now, shift }: { readonly now: UnixSeconds; readonly shift: number },
): number {
  const ahead: AheadVisit[] = []
  let last = -Infinity
  for (let id = page.newest_visit; id !== null; ) {
    const [visit] = db.once(
      sql<AheadVisit>`select id, previous, at, gap from visits where id = ${id}`,
    )
    if (visit === undefined) break
    if (visit.at <= now + slack) {
      last = visit.at
      break
    }
    ahead.push(visit)
    id = visit.previous
  }
  /** By the old time, the new one. */
  const moved = new Map<number, number>()
  for (const { id, at, gap } of ahead.reverse()) {
    last = Math.max(at - shift, last + apart)
    moved.set(at, last)
    const from = gap === null ? null : (moved.get(at - gap) ?? at - gap)
    // A gap that ends before it begins was measured from a time that is gone, too.
    const newGap = from === null ? null : Math.max(apart, last - from)
    // The column calm_for, as stores of 0.1 have it, is `unchangedFor`.
    db.once(sql`
      update visits set at = ${last}, gap = ${newGap},
        content_age = iif(content_age > ${newGap}, null, content_age), calm_for = null
      where id = ${id}`)
    db.once(sql`update versions set at = ${last} where page = ${page.id} and at = ${at}`)
  }
  const time = (at: number | null) => (at === null ? null : (moved.get(at) ?? Math.min(at, now)))
  db.once(sql`
    update pages set last_at = ${time(page.last_at)}, last_seen = ${time(page.last_seen)},
      last_change = ${time(page.last_change)}, learner = null, state = null,
      due = iif(due is null, null, ${now}),
      reason = 'it was last visited by a clock that was ahead'
    where id = ${page.id}`)
  return ahead.length
}
