import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cdfAt, gM4, irregularMle, m2, m4, m6 } from '../dist/estimators/index.js'
import { estimateSharpening } from '../dist/lab/figures/estimate-sharpening.js'
import { lineChart } from '../dist/lab/figures/line-chart.js'
import { historyOf } from '../dist/model/index.js'
import { Random } from '../dist/numeric/index.js'

/**
 * Makes the pictures of docs/reference/methods.md and docs/papers/, from formulas,
 * examples/visits.csv and pages made by known laws: node scripts/method-figures.mjs (npm run build first).
 */

const images = new URL('../docs/images/', import.meta.url)
mkdirSync(images, { recursive: true })

/** Visits of one page of the examples. */
const page = 'https://docs.example.org/guide/'
const visits = readFileSync(new URL('../examples/visits.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .filter(([url]) => url === page)
  .map(([, at, changed]) => ({ at: Date.parse(at) / 1000, outcome: outcomeOf(changed) }))

function outcomeOf(word) {
  if (word === 'true') return 'changed'
  return word === 'false' ? 'unchanged' : word
}

// A page with Poisson changes shows a visit 1 - exp(-x) changes where x happened.
const gaps = Array.from({ length: 50 }, (_, i) => 0.1 + i * 0.1)
write(
  'seen-changes.svg',
  lineChart(
    {
      description:
        'Two lines: changes that happen grow with the gap, changes seen level off at one.',
      title: 'A visit sees one change, however many there were',
      x: { title: 'gap between visits, in change periods' },
      y: { title: 'changes in a gap' },
      series: [
        { name: 'happened', points: gaps.map((x) => ({ x, y: x })) },
        { name: 'seen', points: gaps.map((x) => ({ x, y: 1 - Math.exp(-x) })) },
      ],
    },
    { width: 560 },
  ),
)

const points = visits.slice(1).map((_, i) => {
  const { changePeriod, bounds } = irregularMle.estimate(historyOf(visits.slice(0, i + 2)))
  return { visits: i + 2, changePeriod, bounds }
})
write('sharpening.svg', estimateSharpening({ method: 'irregular-mle', points }, { width: 560 }))

/** The page of Li, Cline & Loguinov: Pareto updates, half a day on average, seen 3,000 times. */
function seenPage(gap) {
  const random = new Random(15)
  const update = () => random.positive() ** (-1 / 3) - 1
  let [last, next, at] = [-50, -50 + update(), 0]
  const moveTo = (time) => {
    const before = last
    while (next <= time) {
      last = next
      next += update()
    }
    return last !== before
  }
  moveTo(0)
  const start = { at: 0, contentAge: -last }
  const observations = Array.from({ length: 3000 }, () => {
    const step = gap(random)
    at += step
    return { at, gap: step, changed: moveTo(at), contentAge: at - last }
  })
  return { start, observations }
}

const ages = Array.from({ length: 81 }, (_, i) => i / 20)
const atRandom = seenPage((random) => random.exponential())
const daily = seenPage(() => 1)
const curve = (method, history) => (x) => cdfAt(method.estimate(history).curve, x)
const series = (name, value, { at = ages, ...more } = {}) => ({
  name,
  points: at.map((x) => ({ x, y: value(x) })),
  ...more,
})
write(
  'li-age-distribution.svg',
  lineChart(
    {
      description:
        'Five curves: M2 and M6 lie on the true age distribution, M4 has points on it at whole days, G-M4 lies far below.',
      title: 'How old the content is, by four methods',
      x: { title: 'age in days; visits a day apart on average' },
      y: { title: 'share of the time', kind: 'share' },
      series: [
        series('the truth', (x) => 1 - (1 + x) ** -2),
        series('m2, dated answers', curve(m2, atRandom)),
        series('m6, random gaps', curve(m6, atRandom)),
        series('g-m4, random gaps', curve(gM4, atRandom)),
        series('m4, equal gaps', curve(m4, daily), { at: [1, 2, 3, 4], plottedAs: 'dots' }),
      ],
    },
    { width: 640 },
  ),
)

function write(name, svg) {
  writeFileSync(new URL(name, images), svg)
}
