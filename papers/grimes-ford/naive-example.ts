import { biasReduced, intuitive, irregularMle } from 'revisit/estimators'
import type { Estimator, History } from 'revisit/model'

/** Figure 1: seven updates in eight gaps C, two of them in one gap and two gaps without any. */
export const updates: readonly number[] = [0.4, 1.3, 2.5, 3.6, 4.2, 4.7, 7.4]
export const total = 8

export interface ExampleCrawler {
  readonly name: string
  readonly gap: number
  readonly visits: readonly { readonly at: number; readonly changed: boolean }[]
  /** Estimated updates in the whole time T, by method. */
  readonly perTotal: { readonly naive: number; readonly biasReduced: number; readonly mle: number }
}

export function exampleCrawlers(): ExampleCrawler[] {
  return [1, 2].map((gap) => {
    const history = visited(gap)
    const perTotal = (estimator: Estimator) => total * (estimator.estimate(history).changeRate ?? 0)
    return {
      name: gap === 1 ? 'crawler 1, every C' : 'crawler 2, every 2C',
      gap,
      visits: history.observations,
      perTotal: {
        naive: perTotal(intuitive),
        biasReduced: perTotal(biasReduced),
        mle: perTotal(irregularMle),
      },
    }
  })
}

function visited(gap: number): History {
  const count = total / gap
  const changed = (at: number) => updates.some((update) => update > at - gap && update <= at)
  const observations = Array.from({ length: count }, (_, i) => {
    const at = (i + 1) * gap
    return { at, gap, changed: changed(at) }
  })
  return { start: { at: 0 }, observations }
}
