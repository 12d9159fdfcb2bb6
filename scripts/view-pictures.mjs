import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium as browserType } from 'playwright'
import { chromium } from './chromium.mjs'
import { scenes, stage } from './dashboard/scenes.mjs'
import { serviceOf } from './dashboard/services.mjs'

/**
 * A picture of every view of the dashboard, and of every state of one that
 * looks different, in full length, to be looked at:
 *
 *   node scripts/view-pictures.mjs [--only own-page] [--widths 390,1280] [--themes light,dark] [--out FOLDER]
 *
 * Prints where each picture is, and what scrolls sideways, throws an error or
 * still says "Loading".
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '390,1280' },
    themes: { type: 'string', default: 'light,dark' },
    out: { type: 'string' },
  },
})
const out = values.out ?? mkdtempSync(join(tmpdir(), 'revisit-views-'))
mkdirSync(out, { recursive: true })
const chosen = scenes.filter(({ service, name }) => `${service}-${name}`.startsWith(values.only))

const { executablePath, args, env } = await chromium()
const browser = await browserType.launch({ executablePath, args, env })
try {
  for (const name of new Set(chosen.map(({ service }) => service))) {
    const service = await serviceOf(name)
    try {
      for (const width of values.widths.split(',').map(Number))
        for (const theme of values.themes.split(','))
          await pictures(
            chosen.filter((scene) => scene.service === name),
            { service, width, theme },
          )
    } finally {
      await service.stop()
    }
  }
} finally {
  await browser.close()
}

async function pictures(some, { service, width, theme }) {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
  })
  page.setDefaultTimeout(20_000)
  let where = ''
  page.on('pageerror', ({ message }) => console.log(`${where}: error: ${message}`))
  await page.goto(service.address)
  for (const scene of some) {
    where = `${scene.service}-${scene.name}-${width}-${theme}`
    try {
      await stage(page, { scene, ids: service.ids })
      await wait(500)
    } catch (error) {
      console.log(`${where}: ${error.message.split('\n')[0]}`)
    }
    const path = join(out, `${where}.png`)
    await page.screenshot({ path, fullPage: true })
    console.log(path)
    const { beyond, text } = await page.evaluate(() => ({
      beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      text: document.body.innerText,
    }))
    if (beyond > 0) console.log(`${where}: scrolls sideways by ${beyond} px`)
    for (const bad of text.match(/.*\b(Loading|NaN|undefined|Infinity)\b.*/g) ?? [])
      console.log(`${where}: says “${bad}”`)
  }
  await page.close()
}
