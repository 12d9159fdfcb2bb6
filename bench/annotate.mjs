import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { annotateFolder, annotateHtml } from '../dist/publish/index.js'

/**
 * `revisit annotate` on a folder of 1,000 pages of 20 KB: pages a second when
 * every page gets its tag, and when all are right already. Runs alone too:
 * node bench/annotate.mjs [PAGES]
 */

export const name = 'annotate: a folder of 1,000 pages'

const limit = 30
const day = 86_400

export async function run({ print, pages = 1000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const now = Math.floor(Date.now() / 1000)
  try {
    fill(folder, { pages, at: now - 100 * day })
    const first = await timed(() => annotateFolder({ folder, now }))
    print(`${pages} tags inserted: ${Math.round(pages / first)} pages/s (${first.toFixed(2)} s)`)
    const second = await timed(() => annotateFolder({ folder, now }))
    print(`${pages} right already: ${Math.round(pages / second)} pages/s (${second.toFixed(2)} s)`)
    const bytes = Buffer.from(page(0))
    const html = await timed(() => {
      for (let i = 0; i < pages; i++) annotateHtml(bytes, 'STATIC')
    })
    print(`without the disk: ${Math.round(pages / html)} pages/s`)
    if (first > (limit * pages) / 1000) throw new Error(`the first run took ${first.toFixed(1)} s`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fill(folder, { pages, at }) {
  for (let i = 0; i < pages; i++) {
    const path = join(folder, String(i % 20), `${i}.html`)
    mkdirSync(join(folder, String(i % 20)), { recursive: true })
    writeFileSync(path, page(i))
    utimesSync(path, at, at)
  }
}

function page(i) {
  const body = `<p>${'Words of a page, one after the other. '.repeat(500)}</p>`
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${i}</title>\n</head>\n<body>${body}</body>\n</html>\n`
}

async function timed(task) {
  const began = performance.now()
  await task()
  return (performance.now() - began) / 1000
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await run({ print: console.log, pages: Number(process.argv[2] ?? 1000) })
