import { queueWorker } from '../../model/queue.js'
import type { StoreHealth, StoreTotals } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { type Checks, problems, problemsFound } from '../health-checks.js'
import { type Database, statement } from './server/database.js'

const ofFrontier = statement(`
  select coalesce(sum(pages), 0)::bigint, count(*), min(due) from frontier where collection = $1`)
/** By hosts that have something due: what is not due is not read. */
const dueNow = statement(`
  select coalesce(sum(pages.due), 0)::bigint
  from frontier cross join lateral (
    select count(*) as due from page_states s
    where s.host = frontier.host and s.collection = $1 and s.due <= $2) as pages
  where frontier.collection = $1 and frontier.due <= $2`)
const inFlight = statement(`
  select count(*) from leases where collection = $1 and page > 0 and expires > $2`)

/** How a collection is doing; reads one row a host, and the hosts that are due. */
export async function healthOf(
  db: Database,
  { collection, now }: { readonly collection: number; readonly now: UnixSeconds },
): Promise<StoreHealth> {
  return db.readTogether(async (session) => {
    type Row = readonly [number, number, number | null]
    const [frontier, due, leases] = await Promise.all([
      session.first<Row>(ofFrontier, [collection]),
      session.first<[number]>(dueNow, [collection, now]),
      session.first<[number]>(inFlight, [collection, now]),
    ])
    const [pages, hosts, oldestDue] = frontier!
    return { pages, hosts, dueNow: due![0], inFlight: leases![0], oldestDue }
  })
}

/** A content that several hosts have lies there once for each, and is one content. */
const totals = `
  select (select count(*) from pages) as pages, (select count(*) from visits) as visits,
    (select count(*) from versions) as versions, count(*) as snapshots,
    coalesce(sum(bytes), 0)::bigint as "contentBytes",
    coalesce(sum(packed), 0)::bigint as "packedBytes"
  from (
    select min(bytes) as bytes, sum(length(body)) as packed from snapshots group by digest
  ) as contents`

export async function totalsOf(db: Database): Promise<StoreTotals> {
  const [row] = await db.readTogether((session) => session.once<StoreTotals>(totals))
  return row!
}

/** Rows that cannot be. */
const impossible: Checks<string> = {
  'pages without what is learned of them, or the other way round': `pages full join page_states s on s.host = pages.host and s.page = pages.page
      where pages.page is null or s.page is null or s.collection <> pages.collection`,
  [problems.visitCounts]: `page_states s left join
      (select host, page, count(*) as found from visits group by host, page) as log
      on log.host = s.host and log.page = s.page
      where s.visits <> coalesce(found, 0)`,
  [problems.visitsOfNoPage]: `visits v where not exists
      (select 1 from page_states s where s.host = v.host and s.page = v.page)`,
  [problems.visitOrder]: `visits left join visits as earlier
      on earlier.number = visits.previous and earlier.host = visits.host
      where visits.previous is not null and (earlier.number is null
        or earlier.page <> visits.page or earlier.at >= visits.at
        or earlier.number >= visits.number)`,
  [problems.visitSuccessors]: `(select 1 from visits where previous is not null group by previous having count(*) > 1) as twice`,
  [problems.newestVisits]: `page_states s left join visits v on v.number = s.newest_visit and v.host = s.host
      where (s.visits = 0) <> (s.newest_visit is null)
        or (s.newest_visit is not null and (v.page is distinct from s.page or v.at <> s.last_at))`,
  [problems.hostSums]: `frontier full join
      (select host, collection, min(due) as due, count(*) as pages
        from page_states group by host, collection) as truth
      on truth.host = frontier.host and truth.collection = frontier.collection
      where frontier.due is distinct from truth.due or frontier.pages is distinct from truth.pages`,
  'hosts whose block or holder is not known to the frontier': `frontier join hosts on hosts.key = frontier.host
      left join (select host, max(expires) as until from leases group by host) as held
        on held.host = frontier.host
      where blocked is distinct from blocked_until or held_until is distinct from until
        or (holder is null) <> (until is null)`,
  [problems.queueSums]: `queues q
      left join (select host, collection, count(*) as leases from leases
        where worker = '${queueWorker}' group by host, collection) as held
        on held.host = q.host and held.collection = q.collection
      left join (select s.host, s.collection, min(s.due) as due
        from page_states s left join leases l
          on l.host = s.host and l.page = s.page and l.worker = '${queueWorker}'
        where l.page is null group by s.host, s.collection) as free
        on free.host = q.host and free.collection = q.collection
      where q.in_flight <> coalesce(held.leases, 0) or q.due is distinct from free.due`,
  [problems.queuedHosts]: `frontier f join collections c on c.id = f.collection
      left join queues q on q.host = f.host and q.collection = f.collection
      where c.queued <> (q.host is not null)`,
  [problems.leasesOfNoPage]: `leases l left join page_states s on s.host = l.host and s.page = l.page
      where l.page > 0 and (s.page is null or s.collection <> l.collection)`,
  'leases of no host': 'leases where host not in (select key from hosts)',
  [problems.versionsOfNothing]: `versions v where not exists
        (select 1 from page_states s where s.host = v.host and s.page = v.page)
      or not exists (select 1 from snapshots c where c.host = v.host and c.digest = v.digest)`,
  'contents that no version has': `snapshots c where not exists
      (select 1 from versions v where v.host = c.host and v.digest = c.digest)`,
  'changes of no page': `changes c where not exists (select 1 from pages p where p.host = c.host and p.page = c.page)`,
  [problems.deliveriesOfNoChannel]: 'deliveries where channel not in (select id from channels)',
}

/** What is wrong with a store, in words: what our tables owe each other. The files are the server's to check. */
export async function checkStore(db: Database): Promise<string[]> {
  return db.readTogether(async (session) => {
    const counts: [problem: string, count: number][] = []
    for (const [problem, rows] of Object.entries(impossible)) {
      const [row] = await session.once<{ count: number }>(`select count(*) as count from ${rows}`)
      counts.push([problem, row!.count])
    }
    return problemsFound(counts)
  })
}
