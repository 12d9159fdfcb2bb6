import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readRecordedChanges } from '../dist/formats/change-times/recorded-changes.js'
import { PageReplay, replayCollection } from '../dist/lab/index.js'
import { fitAutoPrior, openChangeLaw } from '../dist/planner/index.js'

/**
 * Makes src/planner/prior/default-prior.ts: the law that the default starts
 * with, learned from recorded change histories that are no part of this
 * project. Build first.
 *
 *   node scripts/make-prior.mjs A/updates.csv.gz A/objects.csv B/updates.csv.gz B/objects.csv
 *
 * Any number of pairs of files may be given.
 * Each page is visited at three gaps as a crawler would; at most 60 pages of a
 * source are taken, evenly, so that no source outweighs the others.
 */

const day = 86_400
const mostPages = 60
const mostVisits = 400
const gaps = [0.34 * day, 2.06 * day, 12.1 * day]
const target = new URL('../src/planner/prior/default-prior.ts', import.meta.url)

const files = process.argv.slice(2)
if (files.length === 0 || files.length % 2 !== 0) {
  console.error('Give pairs of files: updates.csv.gz and objects.csv of each set of histories.')
  process.exit(2)
}
const pages = []
for (let i = 0; i < files.length; i += 2) {
  const [times, objects] = files.slice(i, i + 2).map(textOf)
  const collection = replayCollection(readRecordedChanges({ times, objects }), { seed: 1 })
  for (const page of chosenPages(collection))
    for (const gap of gaps) pages.push(visited(collection, { page, gap }))
}
// Pages are taken to be met at any moment: whether they are followed from their
// beginning is for each collection to learn.
const { whole } = fitAutoPrior(pages, { towards: { ...openChangeLaw, newShare: 0 } })
writeFileSync(target, source(whole))
console.log(`${pages.length} histories of ${new Set(pages.map((page) => page.group)).size} sources`)

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

function visited(collection, { page, gap }) {
  const timeline = new PageReplay(collection, page)
  const observations = []
  let at = collection.from[page]
  while (at + gap <= collection.until[page] && observations.length < mostVisits) {
    at += gap
    observations.push({ at, gap, changed: timeline.advance(at) })
  }
  const history = { start: { at: collection.from[page] }, observations }
  return { group: collection.sourceNames[collection.sources[page]], history }
}

function source({ pages: count, masses, weekdays, hours }) {
  return `import type { GroupChangeLaw } from '../posterior/posterior.js'
import { changeLawOfEntry, type GroupEntry } from './prior.js'

/**
 * What pages are like, learned from ${count} histories of recorded changes (terms of
 * service, news, feeds, documents, release pages, data files). Made by
 * \`node scripts/make-prior.mjs updates.csv.gz objects.csv\`; not to be edited by
 * hand. The evaluation never uses it: there each source is judged by a law that
 * the other sources taught.
 */
export const defaultPrior: GroupEntry = {
  pages: ${count},
  // biome-ignore format: a table
  masses: [${masses.map(short).join(', ')}],
  // biome-ignore format: a table
  weekdays: [${weekdays.map(short).join(', ')}],
  // biome-ignore format: a table
  hours: [${hours.map(short).join(', ')}],
}

/** The law that a page starts with when nothing else is known. */
export const defaultChangeLaw: GroupChangeLaw = changeLawOfEntry(defaultPrior)
`
}

function short(value) {
  return Number(value.toPrecision(3))
}
