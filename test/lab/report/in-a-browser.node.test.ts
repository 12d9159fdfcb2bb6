import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedded } from '../../../src/lab/figures/palette.js'
import { htmlDocument } from '../../../src/lab/report/html-document.js'
import { sharedBrowser } from '../../fixtures/browser.js'
import { fourPages, logOfPages } from '../../fixtures/four-pages.js'
import { runHere } from '../../fixtures/small-environment.js'
import { sampleFigures } from './sample-figures.js'

const folder = mkdtempSync(join(tmpdir(), 'revisit-report-'))
let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function reportOf(log: string): Promise<string> {
  const files: Record<string, string> = { log }
  const { code, err } = await runHere(
    ['estimate', 'log', '--html', 'out', '--now', '2026-06-01T00:00:00Z'],
    { files },
  )
  expect({ code, err }).toEqual({ code: 0, err: 'report written to out\n' })
  return files.out!
}

/** Each figure alone, as wide as it would be in a page. */
function gallery(width: number): string {
  const figures = Object.values(sampleFigures).map((draw) => embedded(draw({ width })))
  return htmlDocument({ title: 'Figures', body: figures.join('') })
}

/** A report is the same at every width: made once. */
const four = reportOf(logOfPages(fourPages()))
const example = reportOf(readFileSync('examples/visits.csv', 'utf8'))
const documents: Record<string, (width: number) => string | Promise<string>> = {
  'a steady, a bursty, a daily and a trending page': () => four,
  'the example': () => example,
  'all figures': (width) => gallery(width < 800 ? 350 : 760),
}
const cases = Object.keys(documents).flatMap((name) =>
  ([390, 1280] as const).map((width) => [name, width] as const),
)

describe('a report in a browser', () => {
  it.each(cases)(
    '%s at %d px: nothing asked for, cut off, run together or sideways',
    async (name, width) => {
      const file = join(folder, 'page.html')
      writeFileSync(file, await documents[name]!(width))
      const page = await browser.newPage({ viewport: { width, height: 900 }, locale: 'en-US' })
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(pathToFileURL(file).href)
      expect(asked).toEqual([pathToFileURL(file).href])
      expect(complaints).toEqual([])
      const found = await page.evaluate(faults)
      await page.close()
      expect(found.figures).toBeGreaterThan(5)
      expect(found.sideways).toBe(0)
      expect(found.cutOff).toEqual([])
      expect(found.together).toEqual([])
    },
  )

  it('follows the theme', async () => {
    const file = join(folder, 'page.html')
    writeFileSync(file, gallery(760))
    const colours: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme })
      await page.goto(pathToFileURL(file).href)
      colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      colours.push(
        await page.evaluate(() => getComputedStyle(document.querySelector('svg text')!).fill),
      )
      await page.close()
    }
    // From the palette: paper and ink, light and dark.
    expect(colours).toEqual([
      'rgb(255, 255, 255)',
      'rgb(28, 33, 38)',
      'rgb(21, 24, 28)',
      'rgb(232, 234, 237)',
    ])
  })
})

/** Runs in the page: what a person would see at once. */
function faults() {
  const cutOff: string[] = []
  const together: string[] = []
  const figures = [...document.querySelectorAll('svg')].filter(
    (svg) => svg.getBoundingClientRect().width > 0,
  )
  for (const svg of figures) {
    const frame = svg.getBoundingClientRect()
    const name = svg.querySelector('title')?.textContent
    const texts = [...svg.querySelectorAll('text')]
      .filter((text) => text.textContent !== '')
      .map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }))
    for (const { words, box } of texts)
      if (
        box.left < frame.left - 1 ||
        box.right > frame.right + 1 ||
        box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1
      )
        cutOff.push(`${name}: ${words}`)
    texts.forEach((one, i) => {
      for (const other of texts.slice(i + 1)) {
        const across =
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down =
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        // Boxes of lines of text are higher than the letters.
        if (across > 1 && down > 5) together.push(`${name}: ${one.words} / ${other.words}`)
      }
    })
  }
  const { scrollWidth, clientWidth } = document.documentElement
  return { figures: figures.length, sideways: scrollWidth - clientWidth, cutOff, together }
}
