import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.js'
import { served } from './served.js'

const open = openBrowser()

/** One demo for all that it can show. */
let demo: string
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  demo = await served(['--demo'], {}, (end) => ends.push(end))
})
afterAll(async () => {
  for (const end of ends) await end()
})

interface Reported {
  readonly visits: number
  readonly day: number
  readonly learning: boolean
  readonly byDay: readonly { readonly revisit: number; readonly fixedSchedule: number }[]
  readonly freshNow: number
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  readonly pages: readonly {
    readonly truePeriod: number
    readonly estimatedPeriod: number | null
  }[]
}

describe('revisit serve --demo', () => {
  it('begins with two weeks behind it, and tells the truth beside what is estimated', async () => {
    const ask = async <T>(path: string) => (await (await fetch(`${demo}${path}`)).json()) as T
    const first = await ask<Reported>('/api/demo')
    expect(first.day).toBe(15)
    expect(first.byDay).toHaveLength(14)
    expect(first.visits).toBeGreaterThan(3000)
    const known = first.pages.filter((page) => page.estimatedPeriod !== null)
    expect(known.length).toBeGreaterThan(50)
    expect(await ask('/api/overview')).toMatchObject({ demo: true, speed: 8640 })
    const reported = [first]
    // At every moment it is ahead or says that it learns; visits go on.
    await expect
      .poll(
        async () => {
          reported.push(await ask<Reported>('/api/demo'))
          return reported.at(-1)!.visits
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBeGreaterThan(first.visits + 20)
    for (const { freshNow, freshness, learning } of reported) {
      for (const share of [freshNow, freshness.revisit, freshness.fixedSchedule])
        expect(share > 0 && share <= 1).toBe(true)
      expect(learning).toBe(!(freshness.revisit > freshness.fixedSchedule))
    }
  })

  it('shows what is measured, and in words whether it is ahead', async () => {
    const { page, faults } = await open(demo)
    await page.getByText(/Ahead of a fixed schedule by|Not yet ahead of a fixed schedule/).waitFor()
    await page.getByText(/^A sample web of 156 pages, a day in 10 seconds\./).waitFor()
    const tile = page.locator('.tile', { hasText: 'Fresh, measured' })
    expect(await tile.innerText()).toMatch(/\d\d\.\d%\s+.*a fixed schedule with as many requests/s)
    await page.getByRole('row', { name: /Revisit, the last full day/ }).waitFor()
    await page.getByLabel(/by the day, over 1\d days/).waitFor()
    expect(faults).toEqual([])
  })

  it('cuts no word of a picture on a phone, nor of the menu, and writes none too small', async () => {
    const { page, faults } = await open(`${demo}/#/pages/1/how`, { width: 390 })
    await page.locator('.week-grid text').first().waitFor()
    await page.locator('.visit-line text').first().waitFor()
    const words = await page.locator('main svg text').evaluateAll((all: SVGTextElement[]) =>
      all.map((text) => {
        const [inner, outer] = [text, text.closest('svg')!].map((each) =>
          each.getBoundingClientRect(),
        )
        return {
          text: text.textContent,
          cut: inner!.left < outer!.left - 1 || inner!.right > outer!.right + 1,
          size: Number.parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM()!.a,
        }
      }),
    )
    expect(words.length).toBeGreaterThan(15)
    expect(words.filter(({ cut, size }) => cut || size < 12)).toEqual([])
    await page.goto(`${demo}/#/notifications`)
    const menu = page.getByRole('button', { name: /^Notifications.*other views$/ })
    await menu.waitFor()
    expect(await menu.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
    expect(faults).toEqual([])
  })

  it('without a past it says that it learns, and predicts nothing yet', async () => {
    const address = await served(['--demo', '--no-past'])
    const { page, faults } = await open(address)
    await page.getByText(/^Learning, day 1\.$/).waitFor()
    const tile = page.locator('.tile', { hasText: 'Predicted from visits alone' })
    expect(await tile.innerText()).not.toMatch(/\d%/)
    expect(faults).toEqual([])
  })

  it('lets nobody else be visited at its rate', async () => {
    const answer = await fetch(`${demo}/api/pages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pages: [{ url: 'https://example.org/' }, { url: 'x' }] }),
    })
    expect(await answer.json()).toMatchObject({
      added: 0,
      refused: [{ code: 'not-in-demo' }, { code: 'not-in-demo' }],
    })
  })
})
