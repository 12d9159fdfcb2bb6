import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collection } from '../../src/lab/demo/demo-store.js'
import { DAY, MINUTE } from '../../src/model/units.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { runCli } from '../fixtures/run-cli.js'
import { type SinghRule, waitBySingh } from '../fixtures/singh-rule.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describe.each(['weibull', 'duane-cumulative'] as const)(
  'singh:estimator=%s, live over HTTP on the demo web for two minutes',
  (estimator) => {
    it('visits each page when the next update is predicted', async () => {
      const folder = tempFolder()
      const policy = `singh:estimator=${estimator},alpha=0.7,threshold=100000,state=paper`
      const { code } = await runCli([
        ...['demo', '--policy', policy, '--no-hints', '--once-summary', '--port', '0'],
        ...['--folder', folder, '--for', '2min'],
      ])
      expect(code).toBe(0)
      const rule: SinghRule = { estimator, alpha: 0.7 }
      const within = (wait: number | null) =>
        wait === null ? DAY : Math.min(365 * DAY, Math.max(10 * MINUTE, wait))
      const store = await openSqliteStore({ path: join(folder, 'revisit.db'), readOnly: true })
      const { pages } = await store.listPages({ collection, limit: 1000 })
      let [reckoned, fitted] = [0, 0]
      for (const page of pages) {
        const visits = await store.visitsOf(page)
        // A failure has its own wait, which is not the policy's.
        if (!visits.every(({ outcome }) => ['first', 'changed', 'unchanged'].includes(outcome)))
          continue
        const seen = visits.slice(1).map(({ at, outcome, lastModified }, i) => ({
          gap: at - visits[i]!.at,
          changed: outcome === 'changed',
          ...(lastModified == null ? {} : { contentAge: at - lastModified }),
        }))
        const ruled = within(waitBySingh(seen, rule))
        const planned = Number(page.due.at) - visits.at(-1)!.at
        expect(planned / ruled, page.url).toBeCloseTo(1, 3)
        reckoned++
        if (seen.filter(({ changed }) => changed).length >= 3) fitted++
        for (const [i, { gap }] of seen.entries())
          expect(gap / within(waitBySingh(seen.slice(0, i), rule))).toBeGreaterThan(0.99)
      }
      await store.close()
      expect(reckoned).toBeGreaterThan(50)
      expect(fitted).toBeGreaterThan(20)
    }, 250_000)
  },
)
