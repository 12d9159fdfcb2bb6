import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomes } from '../../../src/model/history.js'
import { rateEstimators } from '../../../src/planner/registry.js'
import { runHere } from '../../fixtures/small-environment.js'

const anyTime = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 1_700_000_000 }),
  fc.integer({ min: 0, max: 20 }),
)
const rows = fc.array(
  fc.record({
    url: fc.constantFrom('a', 'b'),
    at: anyTime,
    changed: fc.constantFrom(...outcomes),
    lastModified: fc.oneof(fc.constant(''), anyTime),
  }),
  { maxLength: 30 },
)

describe('revisit estimate on any finite numbers', () => {
  it.each(rateEstimators.map(({ name }) => name))(
    'ends with numbers that are numbers: %s',
    async (method) => {
      await fc.assert(
        fc.asyncProperty(rows, async (list) => {
          const lines = list.map((row) => Object.values(row).join(','))
          const text = ['url,at,changed,last_modified', ...lines].join('\n')
          const args = [
            'estimate',
            'x',
            '--json',
            '--time',
            'seconds',
            '--sort',
            '--method',
            method,
          ]
          const { code, out } = await runHere(args, { files: { x: text } })
          expect([0, 1]).toContain(code)
          for (const each of JSON.parse(out)) {
            // JSON has no NaN: it would come out as null, which only these verdicts allow.
            if (each.changeRate === null)
              expect([
                'no-observation',
                'no-content-age',
                'no-change-seen',
                'always-changed',
                'prior-only',
              ]).toContain(each.verdict)
            else expect(each.changeRate).toBeGreaterThanOrEqual(0)
          }
        }),
        { seed: 41, numRuns: 40 },
      )
    },
  )
})
