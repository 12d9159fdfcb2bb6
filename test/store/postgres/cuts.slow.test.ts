import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '../../../scripts/postgres-server.mjs'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { cutCommits } from './cut-commits.js'
import { LossyProxy } from './lossy-proxy.js'

const collection = 'c'

it('200 connections cut at their commit: every visit is counted once', () => cutCommits(200))

it('the number of a transaction that a crash undid, given to another, is not taken for its commit', async () => {
  const server = await startPostgres()
  const proxy = new LossyProxy(server.url)
  const store = await openPostgresStore({ url: await proxy.listen() })
  try {
    await store.addPages({ collection, now: 1, pages: [{ url: 'https://a.example/' }] })
    let recorded = 0
    for (let round = 1; round <= 4; round++) {
      const now = round * 100
      const ask = { collection, now, limit: 1, perHost: 1, ttl: 5, worker: 'w' }
      const leases = await store.leaseDue(ask)
      expect(leases).toHaveLength(1)
      const crashed = new Promise<void>((resolve, reject) => {
        proxy.onCut = () => {
          // At once: what is not on the server's disk is forgotten.
          process.kill(server.pid(), 'SIGQUIT')
          startedAgain(server)
            .then(() => transactions(server.url, 20))
            .then(resolve, reject)
        }
      })
      proxy.arm('before')
      const due = { at: now + 1, reason: '' }
      const visit = aVisit({ at: now })
      const [result] = await store.recordVisits(leases.map((lease) => ({ lease, visit, due })))
      await crashed
      // Its lease may be gone with the crash; but what is said to be recorded is there.
      if (result === 'recorded') recorded++
      expect(await store.totals()).toMatchObject({ visits: recorded })
    }
    expect(proxy.cuts).toBe(4)
    expect(await store.check()).toEqual([])
  } finally {
    await store.close()
    proxy.close()
    await server.stop()
  }
}, 120_000)

/** The one before may take a while to end. */
async function startedAgain(server: { started(): Promise<void> }): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return await server.started()
    } catch (fault) {
      if (tries > 30) throw fault
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
}

/** Takes so many numbers of transactions, and commits them. */
async function transactions(url: string, many: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let at = 0; at < many; at++) await client.query('select pg_current_xact_id()')
  await client.end()
}
