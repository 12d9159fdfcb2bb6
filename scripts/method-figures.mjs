import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { irregularMle } from '../dist/estimators/index.js'
import { estimateSharpening } from '../dist/lab/figures/estimate-sharpening.js'
import { lineChart } from '../dist/lab/figures/line-chart.js'
import { historyOf } from '../dist/model/index.js'

/**
 * Makes the pictures of docs/reference/methods.md, from formulas and from
 * examples/visits.csv: node scripts/method-figures.mjs (npm run build first).
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

function write(name, svg) {
  writeFileSync(new URL(name, images), svg)
}
