import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `papers.json` and the figures beside it: each paper's claims with the verdict
 * and the words of the last full run, as its README records them.
 */

const papers = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'papers')

export function papersFile() {
  return {
    name: 'papers-file',
    generateBundle() {
      const found = names().map((name) => ({ name, ...paperIn(name) }))
      for (const { name, figures } of found)
        for (const { file } of figures)
          this.emitFile({
            type: 'asset',
            fileName: `papers/${name}/${file}`,
            source: readFileSync(join(papers, name, 'figures', file)),
          })
      this.emitFile({ type: 'asset', fileName: 'papers.json', source: JSON.stringify(found) })
    },
  }
}

function names() {
  return readdirSync(papers, { withFileTypes: true })
    .filter((each) => each.isDirectory() && existsSync(join(papers, each.name, 'published.json')))
    .map((each) => each.name)
}

function paperIn(name) {
  const { title, authors, year, claims } = JSON.parse(
    readFileSync(join(papers, name, 'published.json'), 'utf8'),
  )
  const readme = readFileSync(join(papers, name, 'README.md'), 'utf8')
  const rows = rowsOf(readme)
  return {
    title,
    authors,
    year,
    says: sectionOf(readme, 'What the paper says'),
    found: bulletsOf(sectionOf(readme, 'What we found')),
    figures: figuresOf(name),
    claims: claims.map(({ says, where, published, recorded }) => ({
      says,
      where,
      published,
      verdict: recorded,
      ...rows.get(`${says} (${where})`),
    })),
  }
}

/** What the full run found of each claim, by the words of its first cell. */
function rowsOf(readme) {
  const cells = (line) =>
    line
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map((each) => each.replaceAll('\\|', '|'))
  const table = readme
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map(cells)
  return new Map(
    table.filter((row) => row.length === 5).map(([claim, , ours, , why]) => [claim, { ours, why }]),
  )
}

function sectionOf(readme, title) {
  const from = readme.indexOf(`\n## ${title}\n`)
  if (from < 0) return ''
  const text = readme.slice(from + title.length + 5)
  const to = text.indexOf('\n## ')
  return (to < 0 ? text : text.slice(0, to)).trim()
}

function bulletsOf(text) {
  return text
    .split(/\n(?=- )/)
    .filter((each) => each.startsWith('- '))
    .map((each) => each.slice(2).trim())
}

/** captions.json lies beside the figures that are kept. */
function figuresOf(name) {
  const list = join(papers, name, 'figures', 'captions.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}
