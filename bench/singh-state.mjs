import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { duaneTrend, replayPrediction, trendOf, weibullTrend } from '../dist/estimators/index.js'
import { readRecordedChanges } from '../dist/formats/change-times/recorded-changes.js'
import { percent } from '../dist/model/index.js'
import { Random } from '../dist/numeric/index.js'

export const name = 'state of a window: by its fit or by the paper'

const DAY = 86_400

const oneDigit = { digits: 1 }

/**
 * What alpha does where it goes by the fit, and where by the paper's three
 * gaps: Singh's replay of predictions (Table 3) over recorded histories by the
 * day, with fixed seeds on pages that truly speed up or slow down.
 */
export function run({ print }) {
  simulated(print)
  recorded(print)
}

/** Windows of pages whose change rate is a power of time: in how many alpha is applied. */
function simulated(print) {
  for (const [what, shape] of [
    ['rising (shape 2)', 2],
    ['steady', 1],
    ['falling (shape 0.5)', 0.5],
  ])
    for (const state of ['paper', 'fit']) {
      const random = new Random(25)
      let [applied, pages] = [0, 0]
      for (let page = 0; page < 2000; page++) {
        const { windows } = trendOf(dated(random, { shape, updates: 40 }), { state })
        pages++
        if (windows.at(-1)?.state === 'decreasing') applied++
      }
      print(
        `${what}, state=${state}: alpha applied to ${percent(applied / pages, oneDigit)} of ${pages} pages`,
      )
    }
}

/** Updates of a power-law process whose server dates them, each seen by a visit right after it. */
function dated(random, { shape, updates }) {
  const observations = []
  let [sum, at] = [0, 0]
  for (let i = 0; i < updates; i++) {
    sum += random.exponential()
    const time = 10 * DAY * sum ** (1 / shape)
    observations.push({ at: time, gap: time - at, changed: true, contentAge: 0 })
    observations.push({ at: time + 1, gap: 1, changed: false })
    at = time + 1
  }
  return { start: { at: 0 }, observations }
}

function recorded(print) {
  for (const folder of ['traces', 'traces2']) {
    const path = process.env.REVISIT_SHARED ?? '../shared'
    if (!existsSync(`${path}/${folder}/updates.csv.gz`)) {
      print(`${folder}: not here; set REVISIT_SHARED to the folder that holds it`)
      continue
    }
    const histories = readRecordedChanges({
      times: gunzipSync(readFileSync(`${path}/${folder}/updates.csv.gz`)).toString(),
      objects: readFileSync(`${path}/${folder}/objects.csv`, 'utf8'),
    })
    for (const [named, estimator] of [
      ['weibull', weibullTrend()],
      ['duane-cumulative', duaneTrend({ rateOver: 'since-origin' })],
    ])
      for (const [state, alpha] of [
        ['none', 1],
        ['paper', 0.7],
        ['fit', 0.7],
      ])
        print(`${folder}, ${named}, ${line(histories, { estimator, state, alpha })}`)
  }
}

function line(histories, { estimator, state, alpha }) {
  const total = { updates: 0, observed: 0, visits: 0, premature: 0 }
  for (const { from, until, changes } of histories) {
    const days = [...new Set(changes.map((at) => Math.ceil((at - from) / DAY) - 1))]
    const points = days.map((day) => ({ at: (day + 0.5) * DAY }))
    if (points.length < 4) continue
    const seen = replayPrediction(
      { origin: 0, until: Math.ceil((until - from) / DAY) * DAY, points },
      { predict: { estimator, alpha, state: state === 'none' ? 'paper' : state } },
    )
    for (const key of Object.keys(total)) total[key] += seen[key]
  }
  const { updates, observed, visits, premature } = total
  const rule = state === 'none' ? 'alpha 1' : `alpha 0.7, state=${state}`
  return `${rule}: ${percent(observed / updates, oneDigit)} of ${updates} updates observed, ${percent(premature / visits, oneDigit)} of ${visits} visits premature, ${(visits / updates).toFixed(3)} visits an update`
}
