import { pageReader } from '../dist/content/index.js'

/** 10,000 pages of 100 KB through the reader: milliseconds a page, and how much the heap grows. */

export const name = 'Reader: 10,000 pages of 100 KB'

const pages = 10_000
const size = 100 * 1024
const words = 'the tide was late and the boats came in with lanterns lit for all to see '

export async function run({ print }) {
  for (const [title, settings] of [
    ['text', {}],
    ['words and links', { reading: { compare: 'words-and-links' } }],
    ['selected', { reading: { select: ['p.text'] } }],
  ]) {
    const count = title === 'text' ? pages : pages / 20
    const page = { settings, noise: null, fingerprint: null, lastSeen: null }
    const before = process.memoryUsage().heapUsed
    let peak = 0
    let spent = 0
    for (let i = 0; i < count; i++) {
      const body = bodyOf(i)
      const begun = performance.now()
      pageReader.read(answer(body), page)
      spent += performance.now() - begun
      if (i % 100 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed - before)
    }
    print(
      `${title}: ${(spent / count).toFixed(3)} ms a page (${count} pages), heap at most ${Math.round(peak / 2 ** 20)} MB above the start`,
    )
  }
}

function answer(body) {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const url = 'http://bench.test/'
  return { kind: 'content', status: 200, at: 1.7e9, url, headers, bytesReceived: size, body }
}

/** No two are the same. */
function bodyOf(version) {
  const line = (i) =>
    `<p class="text">${version} ${i} ${words.repeat(4)}<a href="/page/${i}">more</a></p>\n`
  const lines = Array.from({ length: Math.ceil(size / 360) }, (_, i) => line(i))
  return Buffer.from(`<!doctype html><title>${version}</title>${lines.join('')}`.slice(0, size))
}
