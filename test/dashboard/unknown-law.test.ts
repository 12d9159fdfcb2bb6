import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { runCli } from '../fixtures/run-cli.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

/** A Poisson page of 1.5 days seen 200 times, every day or at random gaps of a day on average. */
function log(url: string, gap: (random: Random) => number): string[] {
  const random = new Random(4)
  let [at, next] = [0, 1.5 * random.exponential()]
  return Array.from({ length: 200 }, (_, i) => {
    const changed = next <= at
    while (next <= at) next += 1.5 * random.exponential()
    const line = `${url},${Math.round(1_760_000_000 + 86_400 * at)},${i === 0 ? 'first' : changed}`
    at += gap(random)
    return line
  })
}

it('says where visits cannot tell how long a page stays unchanged, and what they tell', async () => {
  const folder = tempFolder()
  const env = followsLoopback(folder)
  const daily = log('https://a.example/daily', () => 1)
  const atRandom = log('https://a.example/random', (random) =>
    Math.max(0.001, random.exponential()),
  )
  writeFileSync(join(folder, 'log.csv'), ['url,at,changed', ...daily, ...atRandom, ''].join('\n'))
  expect((await runCli(['import', join(folder, 'log.csv')], { env })).code).toBe(0)
  const address = await served(['--no-crawl'], env)
  const answer = (await (await fetch(`${address}/api/pages`)).json()) as {
    pages: { id: string; url: string }[]
  }
  const idOf = (end: string) => answer.pages.find(({ url }) => url.endsWith(end))!.id
  const { page, faults } = await open(`${address}/#/pages/${idOf('daily')}/how`)
  const panel = page.locator('section', { hasText: 'How long it stays unchanged' }).last()
  await panel.getByText('not identifiable at equal gaps of 1 day: vary the gaps').waitFor()
  // Known at whole days: 1 - e^(-2/3) of the time it is at most a day old.
  expect(await panel.innerText()).toMatch(/Known by m6.*1d [45]\d%/s)
  expect(await panel.locator('canvas').count()).toBe(0)
  await page.goto(`${address}/#/pages/${idOf('random')}/how`)
  await page.reload()
  await panel.locator('canvas').waitFor()
  expect(await panel.innerText()).not.toContain('not identifiable')
  expect(faults).toEqual([])
}, 60_000)
