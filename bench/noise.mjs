import { openCrawler } from '../dist/crawler/index.js'
import { Random } from '../dist/numeric/index.js'
import { fixed } from '../dist/policies/index.js'
import { openMemoryStore } from '../dist/store/index.js'
import { judgedVisits } from './noise/judged-visits.mjs'
import { noisyPages } from './noise/noisy-pages.mjs'

/**
 * What counts as a change on pages full of noise: 1,000 visits to each page of
 * a site with nonces, clocks, rotating advertisements and session ids, by the
 * real loop, compared by bytes, text, words and links, and text with masks.
 */

export const name = 'Noise: false and missed changes of 1,000 visits a page'

const ways = [
  { title: 'bytes', reading: { compare: 'bytes' }, noiseCheck: false },
  { title: 'text', noiseCheck: false },
  { title: 'words and links', reading: { compare: 'words-and-links' }, noiseCheck: false },
  { title: 'masked text', noiseCheck: true },
  { title: 'masked words+links', reading: { compare: 'words-and-links' }, noiseCheck: true },
]
const visits = 1000

export async function run({ print }) {
  const revisit = { openCrawler, openMemoryStore, fixed, Random }
  const width = 20
  print(
    `${'page'.padEnd(13)}${'changes'.padStart(8)}${ways.map(({ title }) => title.padStart(width)).join('')}${'masks'.padStart(7)}${'requests'.padStart(10)}`,
  )
  for (const { name } of noisyPages(() => 0)) {
    const cells = []
    let last
    for (const way of ways) {
      const random = new Random(11)
      const uniform = () => random.uniform()
      const page = noisyPages(uniform).find((each) => each.name === name)
      const judged = await judgedVisits(revisit, { page, visits, random: uniform, ...way })
      cells.push(`${judged.false} false ${judged.missed} missed`)
      if (way.title === 'masked text') last = judged
    }
    print(
      `${name.padEnd(13)}${String(last.changes).padStart(8)}${cells.map((cell) => cell.padStart(width)).join('')}${String(last.masks.length).padStart(7)}${String(last.requests).padStart(10)}`,
    )
  }
}
