import { gM4 } from 'revisit/estimators'
import type { Finding, PaperResult } from 'revisit/report'
import { gM4Tail } from './closed-forms.js'
import { pareto } from './laws.js'
import { type Part, verdictOf } from './part.js'
import { type Averaged, mostErrors } from './paths.js'
import * as spacings from './spacings.js'
import { tailChart } from './tail-chart.js'
import { curvePoints, deviationAt, foundPoints, places, simulatedTail } from './tails.js'
import { deviationWords, shown, shownAll } from './words.js'

/** M4 carried over to random gaps is badly biased: Figure 14. */
export const randomGaps: Part = {
  doing: 'G-M4 at random gaps (Figure 14)',
  cost: 15,
  run(run): PaperResult {
    const of = (spacing: spacings.Spacing) =>
      simulatedTail(run, { method: gM4, law: pareto, spacing })
    const exponential = of(spacings.exponential)
    run.tell(0.5)
    const heavy = of(spacings.pareto)
    const model = gM4Tail(pareto)
    const deviation = deviationAt(exponential, { truth: model, until: run.sizes.curve.until })
    return {
      findings: [closedForm(deviation), exponentialFar(), paretoDifferent(heavy)],
      tables: [table({ exponential, heavy })],
      figures: [
        figure({
          file: 'figure-14a.svg',
          title:
            'Figure 14a: G-M4 at exponential gaps is far off near 0 (Pareto updates, lambda 1)',
          found: exponential,
          model,
        }),
        figure({
          file: 'figure-14b.svg',
          title: 'Figure 14b: G-M4 at Pareto gaps is off everywhere (Pareto updates, lambda 1)',
          found: heavy,
        }),
      ],
    }
  },
}

function closedForm(deviation: number): Finding {
  const model = gM4Tail(pareto)
  return {
    claim: 'g-m4-biased',
    ours: `tail ${shownAll([0.5, 1, 2].map(model))} at x = .5, 1, 2 where G_U has ${shownAll([0.5, 1, 2].map(pareto.contentTail))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `Exponential S: content age plus an independent exponential, e^-x + integral of e^-b (1 + x - b)^-2. Simulated: ${deviationWords(deviation)}.`,
  }
}

function exponentialFar(): Finding {
  const model = gM4Tail(pareto)
  const ratio = (x: number) => model(x) / pareto.contentTail(x)
  const at = [1, 5, 10, 20, 50]
  return {
    claim: 'g-m4-exponential',
    ours: `tail over the true one: ${shownAll(at.map(ratio))} at x = ${shownAll(at)}`,
    verdict: verdictOf(ratio(1) > 2 && ratio(20) < 1.2 && ratio(50) < 1.06),
    why: 'Closed form at exponential gaps, which the simulation follows.',
  }
}

function paretoDifferent(found: Averaged): Finding {
  const ratios = places.map((x, i) => ({ x, ratio: found.mean[i]! / pareto.contentTail(x) }))
  const near = ratios.filter(({ x }) => x >= 0.5 && x <= 10)
  const some = near.filter((_, i) => i % 3 === 0)
  return {
    claim: 'g-m4-pareto',
    ours: `tail over the true one: ${shownAll(some.map(({ ratio }) => ratio))} at x = ${shownAll(
      some.map(({ x }) => x),
      { digits: 2 },
    )}`,
    verdict: verdictOf(near.every(({ ratio }) => ratio > 1.5)),
    why: 'Simulated at Pareto gaps of mean 1 (shape 3, scale 2): the tail is far too heavy wherever it can be measured.',
  }
}

function table({ exponential, heavy }: Record<'exponential' | 'heavy', Averaged>) {
  const model = gM4Tail(pareto)
  const rows = places.map((x, i) =>
    [x, exponential.mean[i]!, model(x), heavy.mean[i]!, pareto.contentTail(x)].map((value) =>
      shown(value),
    ),
  )
  return {
    title: 'Tails of G-M4 (Pareto updates, lambda 1)',
    columns: ['x', 'exponential S', 'its closed form', 'Pareto S', 'content ages 1 - G_U'],
    rows: rows.filter((_, i) => i % 3 === 0),
  }
}

function figure({
  found,
  model,
  ...text
}: {
  file: string
  title: string
  found: Averaged
  model?: (x: number) => number
}) {
  return tailChart({
    ...text,
    caption: `Dots: simulated G-M4, mean of 40 paths, with two standard errors either side. ${model === undefined ? 'Line:' : 'Lines: its closed form, and'} the content ages G_U that it should find.`,
    series: [
      { name: 'content ages, G_U', colour: 1, points: curvePoints(pareto.contentTail) },
      ...(model === undefined
        ? []
        : [{ name: 'G-M4, closed form', colour: 0, points: curvePoints(model) }]),
      { name: 'G-M4 simulated', colour: 0, plottedAs: 'dots' as const, points: foundPoints(found) },
    ],
  })
}
