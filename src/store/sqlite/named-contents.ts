import type { VisitReport } from '../../model/index.js'
import { digestOf } from '../digest.js'
import { packContent, packContentNow } from '../packed-content.js'
import type { Database } from './database.js'
import type { ReadyReport } from './recorder.js'
import type { NamedContent, Snapshots } from './snapshots.js'

/** Names the contents of reports and packs those that are new, before any transaction begins. */
export async function readyReports(
  reports: readonly VisitReport[],
  { db, snapshots }: { readonly db: Database; readonly snapshots: Snapshots },
): Promise<ReadyReport[]> {
  const digests = reports.map(({ content }) => content && digestOf(content.body))
  const named = digests.filter((digest) => digest !== undefined)
  if (named.length === 0) return reports.map((report) => ({ report, named: undefined }))
  const known = db.read(() => new Set(named.filter((digest) => snapshots.has(digest))))
  const ready = reports.map(async (report, at) => ({
    report,
    named: await namedContent(report, { digest: digests[at], known }),
  }))
  return Promise.all(ready)
}

async function namedContent(
  { content }: VisitReport,
  { digest, known }: { readonly digest: string | undefined; readonly known: ReadonlySet<string> },
): Promise<NamedContent | undefined> {
  if (content === undefined || digest === undefined) return undefined
  // Known now, it may yet be let go before the commit.
  if (known.has(digest)) return { content, digest, packed: () => packContentNow(content.body) }
  const packed = await packContent(content.body)
  return { content, digest, packed: () => packed }
}
