import type { VisitReport } from '../../model/index.js'
import { digestOf } from '../digest.js'
import { packContent, packContentNow } from '../packed-content.js'
import type { ReadyReport } from './recorder.js'
import type { NamedContent, Snapshots } from './snapshots.js'

/** Names the contents of reports and packs those that are new, before any transaction begins. */
export function readyReports(
  reports: readonly VisitReport[],
  snapshots: Snapshots,
): Promise<ReadyReport[]> {
  return Promise.all(
    reports.map(async (report) => ({ report, named: await named(report, snapshots) })),
  )
}

async function named(
  { content }: VisitReport,
  snapshots: Snapshots,
): Promise<NamedContent | undefined> {
  if (content === undefined) return undefined
  const digest = digestOf(content.body)
  // Known now, it may yet be let go before the commit.
  if (snapshots.has(digest)) return { content, digest, packed: () => packContentNow(content.body) }
  const packed = await packContent(content.body)
  return { content, digest, packed: () => packed }
}
