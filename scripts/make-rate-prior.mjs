import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { empiricalRates, fitRates } from '../dist/estimators/prior/fitted-rates.js'
import { readRecordedChanges } from '../dist/formats/change-times/recorded-changes.js'
import { PageReplay, replayCollection } from '../dist/lab/index.js'

/**
 * Makes src/planner/prior/shipped-rates.ts: the two pseudo-gaps that the policy
 * grimes-ford starts with where nothing was fitted, by the paper's own recipe on
 * recorded change histories that are no part of this project. Build first.
 *
 *   node scripts/make-rate-prior.mjs A/updates.csv.gz A/objects.csv B/updates.csv.gz B/objects.csv
 *
 * Pages are visited once a day for as long as their record goes, and count once
 * 25 changes were seen (Grimes & Ford 4.2); at most 60 pages of a source are
 * taken, evenly, so that no source outweighs the others.
 */

const day = 86_400
const mostPages = 60
const target = new URL('../src/planner/prior/shipped-rates.ts', import.meta.url)

const files = process.argv.slice(2)
if (files.length === 0 || files.length % 2 !== 0) {
  console.error('Give pairs of files: updates.csv.gz and objects.csv of each set of histories.')
  process.exit(2)
}
const histories = []
for (let i = 0; i < files.length; i += 2) {
  const [times, objects] = files.slice(i, i + 2).map(textOf)
  const collection = replayCollection(readRecordedChanges({ times, objects }), { seed: 1 })
  for (const page of chosenPages(collection)) histories.push(visitedDaily(collection, page))
}
const { law, pages } = empiricalRates(histories)
const { changed, unchanged } = fitRates(law).fits.find(
  ({ reading }) => reading === 'log-period',
).pseudoGaps
const short = (seconds) => Number(seconds.toPrecision(3))
const before = readFileSync(target, 'utf8')
const after = before
  .replace(/\d+ of \d+\n \* recorded/, `${pages} of ${histories.length}\n * recorded`)
  .replace(
    /changed: [\d_]+, unchanged: [\d_]+/,
    `changed: ${grouped(short(changed))}, unchanged: ${grouped(short(unchanged))}`,
  )
writeFileSync(target, after)
console.log(
  `${pages} of ${histories.length} histories: ${changed} s changed, ${unchanged} s unchanged`,
)

function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '_')
}

function textOf(path) {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

function chosenPages(collection) {
  return collection.sourceNames.flatMap((_, source) => {
    const own = collection.ids
      .map((_, page) => page)
      .filter((page) => collection.sources[page] === source)
    const step = Math.max(1, own.length / mostPages)
    return Array.from(
      { length: Math.min(own.length, mostPages) },
      (_, i) => own[Math.floor(i * step)],
    )
  })
}

function visitedDaily(collection, page) {
  const timeline = new PageReplay(collection, page)
  const observations = []
  let at = collection.from[page]
  while (at + day <= collection.until[page]) {
    at += day
    observations.push({ at, gap: day, changed: timeline.advance(at) })
  }
  return { start: { at: collection.from[page] }, observations }
}
