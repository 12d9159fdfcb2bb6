/**
 * What cannot be in a store, in the words in which a person reads that it is.
 * Each database counts such rows in SQL of its own, and those that only its
 * tables can have.
 */
export const problems = {
  visitCounts: 'pages whose number of visits is not the number recorded',
  visitsOfNoPage: 'visits of no page',
  visitOrder: 'visits out of the order of their page',
  visitSuccessors: 'visits with two successors',
  newestVisits: 'pages whose newest visit is not the last one recorded',
  hostSums: 'hosts whose earliest due time or number of pages is wrong',
  queueSums: 'queues whose addresses in flight or earliest due time are wrong',
  queuedHosts: 'hosts of a crawl that are no queue, or queues of no crawl',
  leasesOfNoPage: 'leases of no page',
  versionsOfNothing: 'versions of no page or without content',
  deliveriesOfNoChannel: 'deliveries of no channel',
} as const

/** How rows are counted that cannot be, by what they would be. */
export type Checks<Count> = Readonly<
  Record<(typeof problems)[keyof typeof problems], Count> & Record<string, Count>
>

/** What was found, in words. */
export function problemsFound(counts: Iterable<readonly [problem: string, count: number]>) {
  return Array.from(counts).flatMap(([problem, count]) =>
    count > 0 ? [`${count} ${problem}`] : [],
  )
}
