import { describe, expect, it } from 'vitest'
import { AutoMinds, ownEstimate } from '../../../src/engine/auto/index.js'
import { packState } from '../../../src/engine/packed-state.js'
import { firstStep, step } from '../../../src/engine/step.js'
import { irregularMle } from '../../../src/estimate/index.js'
import { HOUR, type Observation, type PageRecord } from '../../../src/model/index.js'
import { Random } from '../../../src/numeric/index.js'

const start = 1_700_000_000
const period = 36 * HOUR
/** How often the list is looked at. */
const look = 3 * HOUR

/** A Poisson page that is visited when a look at its list tells of a change, and then only. */
function visitedOnNews(): Observation[] {
  const random = new Random(4)
  const observations: Observation[] = []
  let seenAt = start
  while (observations.length < 40) {
    const changedAt = seenAt + period * random.exponential()
    const at = start + Math.ceil((changedAt - start) / look) * look
    const calmFor = Math.max(0, at - look - seenAt)
    observations.push({ at, gap: at - seenAt, changed: true, calmFor, contentAge: at - changedAt })
    seenAt = at
  }
  return observations
}

function pageAfter(minds: AutoMinds, observations: readonly Observation[]): PageRecord {
  const bare = {
    ...{ id: '1', collection: 'c', host: 'h.example', url: 'https://h.example/', settings: {} },
    ...{ importance: 1, hints: null, state: null, lastSeen: start, visits: 1 },
  } as unknown as PageRecord
  const mind = minds.mindFor(bare)
  let { state } = firstStep(mind, { at: start }, new Random(1))
  for (const each of observations) ({ state } = step(mind, state, each))
  const visits = 1 + observations.length
  const lastSeen = observations.at(-1)!.at
  return { ...bare, state: packState(mind, state), lastSeen, visits }
}

describe('the default on its own page', () => {
  it('knows how often a page changes that was only visited when its list told of a change', () => {
    const minds = new AutoMinds()
    const observations = visitedOnNews()
    const told = observations.map(({ calmFor: _, contentAge: __, ...logged }) => logged)
    const history = { start: { at: start }, observations: told }
    const page = pageAfter(minds, observations)
    const own = ownEstimate(page, { minds, history, level: 0.95 })!
    expect(own.changePeriod! / period).toBeGreaterThan(0.6)
    expect(own.changePeriod! / period).toBeLessThan(1.7)
    expect(own.method).toBe('auto')
    // A log from before calm was kept, in which every visit found a change, knows no such thing.
    expect(irregularMle.estimate(history).changePeriod).toBeLessThan(period / 3)
    const whole = { ...history, observations }
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeGreaterThan(0.6)
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeLessThan(1.7)
  })

  it('says nothing of pages that it has not compared, or that another policy follows', () => {
    const minds = new AutoMinds()
    const page = pageAfter(minds, visitedOnNews())
    const history = { start: { at: start }, observations: [] }
    expect(ownEstimate(page, { minds, history, level: 0.95 })).toBeNull()
    expect(ownEstimate(page, { minds, history: null, level: 0.95 })).toBeNull()
    const other = { ...page, state: { learner: 'nutch/none', numbers: new Float64Array(3) } }
    const some = { start: { at: start }, observations: visitedOnNews() }
    expect(ownEstimate(other, { minds, history: some, level: 0.95 })).toBeNull()
  })
})
