import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium as browserType } from 'playwright'
import { chromium } from './chromium.mjs'

/**
 * Pictures of a local HTML or SVG file, to be looked at:
 *
 *   node scripts/screenshot.mjs FILE [--widths 390,1280] [--themes light,dark] [--out FOLDER]
 *     [--each SELECTOR]   a picture of each such part in place of the whole
 *
 * Prints where each picture is, and what the page asked for from outside or
 * scrolls sideways by, which should be nothing.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: '390,1280' },
    themes: { type: 'string', default: 'light,dark' },
    out: { type: 'string' },
    each: { type: 'string' },
  },
})
const out = values.out ?? mkdtempSync(join(tmpdir(), 'revisit-pictures-'))
mkdirSync(out, { recursive: true })

const { executablePath, args, env } = await chromium()
const browser = await browserType.launch({ executablePath, args, env })
try {
  for (const file of positionals)
    for (const width of values.widths.split(',').map(Number))
      for (const theme of values.themes.split(',')) await picture(file, { width, theme })
} finally {
  await browser.close()
}

async function picture(file, { width, theme }) {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: 'en-US',
  })
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) console.log(`asked for ${request.url()}`)
  })
  await page.goto(pathToFileURL(resolve(file)).href)
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  if (beyond > 0) console.log(`${file} scrolls sideways by ${beyond} px at ${width} px`)
  const name = `${basename(file).replace(/\.\w+$/, '')}-${width}-${theme}`
  const parts = values.each === undefined ? [] : await page.locator(values.each).all()
  for (const [i, part] of parts.entries())
    if (await part.isVisible()) await save((path) => part.screenshot({ path }), `${name}-${i + 1}`)
  if (values.each === undefined)
    await save((path) => page.screenshot({ path, fullPage: true }), name)
  await page.close()
}

async function save(shoot, name) {
  const path = join(out, `${name}.png`)
  await shoot(path)
  console.log(path)
}
