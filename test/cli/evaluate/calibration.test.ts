import { describe, expect, it } from 'vitest'
import { evaluateJson } from '../../../src/cli/commands/evaluate/command.js'
import { evaluateHtml } from '../../../src/cli/commands/evaluate/html.js'
import { evaluateSettings } from '../../../src/cli/commands/evaluate/options.js'
import { type EvaluatedPart, runEvaluation } from '../../../src/cli/commands/evaluate/run.js'
import { evaluationText } from '../../../src/cli/commands/evaluate/tables.js'
import type { Environment } from '../../../src/cli/environment.js'
import type { Contender } from '../../../src/lab/evaluate/contender.js'
import { contenders } from '../../../src/lab/evaluate/contenders.js'
import { PageCalibration, trueMeanRate } from '../../../src/lab/evaluate/policy-replay.js'
import type { RecordedChanges } from '../../../src/model/history.js'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'

/** Twelve pages of three sources, ten days each. */
const objects: RecordedChanges[] = Array.from({ length: 12 }, (_, i) => {
  const random = Random.stream({ seed: 3, index: i })
  const changes: number[] = []
  let at = 4 * DAY + 2 * DAY * random.exponential()
  for (; at < 14 * DAY; at += (1 + (i % 3)) * DAY * random.exponential()) changes.push(at)
  return {
    id: `p${i}`,
    source: `s${i % 3}`,
    from: 4 * DAY,
    until: 14 * DAY,
    cadence: 0,
    changes: Float64Array.from(changes),
  }
})

/** Visits as equal does and predicts 75% for the first source's pages, nothing for the others'. */
const predicting: Contender = {
  name: 'predicting',
  summary: 'predicts for one source',
  kind: 'rule',
  compete(trial) {
    const outcome = contenders.find(({ name }) => name === 'equal')!.compete(trial)
    const { collection } = trial
    const calibration = outcome.scores.map(({ time, freshTime }, page) => {
      const own = new PageCalibration()
      if (collection.sources[page] !== 0) return own
      own.gap({ length: time, predictedFresh: 0.75 * time, realisedFresh: freshTime })
      const truth = trueMeanRate(collection, page)
      own.bounds(10, { low: truth / 2, high: 2 * truth, truth })
      own.bounds(30, { low: 2 * truth, high: 3 * truth, truth })
      return own
    })
    return { ...outcome, calibration }
  },
}

const settings = {
  ...evaluateSettings({ histories: 'updates.csv', budget: [0.5], seed: [1, 2] }),
  contenders: [...contenders.filter(({ name }) => name === 'equal'), predicting],
}
const environment = { progress: () => ({ at: () => {}, stop: () => {} }) } as unknown as Environment

function run(): Promise<EvaluatedPart[]> {
  return runEvaluation(environment, { objectsFor: async () => objects, settings })
}

describe('what a policy predicts', () => {
  it('is shown as text: in all, and of the sources of which it predicts', async () => {
    const parts = await run()
    const text = evaluationText({ parts, seeds: [1, 2], shown: ['equal', 'predicting'] })
    expect(text).toContain('\nMeans over the seeds 1, 2\n')
    const found = text.slice(text.indexOf('Freshness predicted and realised'))
    expect(found).toMatch(/\npredicting +predicted +realised +difference +± +in bounds, 10 +pages /)
    const cells = /0\.7500 +0\.\d{4} +[+-]0\.\d{4} +\S+ +100\.0% +4 +0\.0% +4 +- +0\n/.source
    expect(found).toMatch(new RegExp(`\nall sources +${cells}`))
    expect(found).toMatch(new RegExp(`\ns0 +${cells}`))
    expect(found).not.toMatch(/\ns1 /)
  })

  it('is in JSON with the spread over seeds, and in the report with a figure', async () => {
    const parts = await run()
    const [part] = JSON.parse(evaluateJson(parts, settings)).parts
    const [equal, row] = part.rows
    expect(equal.calibration).toBeNull()
    expect(row.calibration).toMatchObject({
      predicted: 0.75,
      bounds: [{ after: 10, held: 1 }, { held: 0 }, { held: null }],
    })
    expect(row.bySource.map((each: { calibration: unknown }) => each.calibration === null)).toEqual(
      [false, true, true],
    )
    expect(row.spread.freshness).toBeGreaterThanOrEqual(0)
    const html = evaluateHtml(parts, {
      version: '1.2.3',
      seeds: [1, 2],
      shown: ['equal', 'predicting'],
    })
    expect(html).toContain('Predicted and realised freshness by source')
    expect(html).toContain('Source by source, against equal visits')
    expect(html).toContain('evaluate, seed 1, 2;')
    expect(html).not.toMatch(/NaN|undefined|Infinity|<script/)
  })
})
