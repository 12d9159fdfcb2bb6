import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium as browserType } from 'playwright'
import { chromium } from './chromium.mjs'
import { movingPicture } from './moving-picture.mjs'

/**
 * The dashboard's pictures in docs/pictures/, from the demo as `npm start`
 * shows it: the overview in its first half minute (a moving picture), the
 * inbox, a page, and the lab's first run.
 *
 *   node scripts/dashboard-pictures.mjs [FOLDER]
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = process.argv[2] ?? join(root, 'docs', 'pictures')
mkdirSync(folder, { recursive: true })
const viewport = { width: 1200, height: 940 }

const demo = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), 'serve', '--demo'])
const { executablePath, args, env } = await chromium()
const browser = await browserType.launch({ executablePath, args, env })
try {
  const address = await addressOf(demo)
  const page = await browser.newPage({ viewport, colorScheme: 'light', locale: 'en-US' })
  page.on('pageerror', ({ message }) => console.log(`error: ${message}`))
  page.on('console', (printed) => {
    if (printed.type() === 'error') console.log(`console: ${printed.text()}`)
  })
  await page.goto(address)
  await moving(page, 'dashboard-overview')
  await page.goto(`${address}/#/inbox`)
  await page.locator('.change').first().waitFor()
  await wait(1000)
  await picture(page, 'dashboard-inbox')
  await page.locator('.change-link').nth(1).click()
  await page.locator('.diff .added').first().waitFor()
  await picture(page, 'dashboard-page')
  await page.goto(`${address}/#/lab`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText(/^Done: /).waitFor({ timeout: 60_000 })
  await page.getByRole('heading', { name: 'What each policy achieves' }).waitFor()
  await page.mouse.wheel(0, 10_000)
  await wait(500)
  await picture(page, 'dashboard-lab')
} finally {
  await browser.close()
  demo.kill('SIGINT')
}

/** The address that the service prints. */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let reported = ''
    const adjusted = (chunk) => {
      reported += chunk
      const [found] = /http:\/\/[\w.:]+/.exec(reported) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', adjusted)
    child.stderr.on('data', adjusted)
    child.once('close', (code) => reject(new Error(`it ended with ${code}: ${reported}`)))
  })
}

/** A picture every second for half a minute, played twice as fast. */
async function moving(page, name) {
  await page.getByText('Ahead of a fixed schedule').waitFor()
  const frames = []
  const begun = Date.now()
  while (frames.length < 30) {
    await wait(Math.max(0, begun + 1000 * frames.length - Date.now()))
    frames.push(await page.screenshot())
  }
  const path = join(folder, `${name}.png`)
  writeFileSync(path, movingPicture(frames, { seconds: 0.5 }))
  console.log(path)
}

async function picture(page, name) {
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path })
  console.log(path)
}
