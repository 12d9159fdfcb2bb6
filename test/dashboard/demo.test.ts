import { describe, expect, it } from 'vitest'
import { served } from './served.js'

interface Told {
  readonly visits: number
  readonly freshNow: number
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  readonly pages: readonly {
    readonly truePeriod: number
    readonly estimatedPeriod: number | null
  }[]
}

describe('revisit serve --demo', () => {
  it('visits its web at once, and tells the truth beside what is believed', async () => {
    const address = await served(['--demo'])
    const ask = async <T>(path: string) => (await (await fetch(`${address}${path}`)).json()) as T
    const known = (told: Told) => told.pages.filter((page) => page.estimatedPeriod !== null).length
    // What is told is anew every three seconds: on a quiet machine the third of them has as many.
    await expect
      .poll(async () => known(await ask<Told>('/api/demo')), { timeout: 30_000, interval: 500 })
      .toBeGreaterThan(10)
    const told = await ask<Told>('/api/demo')
    expect(told.visits).toBeGreaterThan(20)
    for (const share of [told.freshNow, told.freshness.revisit, told.freshness.fixedSchedule])
      expect(share > 0 && share <= 1).toBe(true)
    expect(await ask('/api/overview')).toMatchObject({ demo: true, speed: 8640 })
  })

  it('lets nobody else be visited at its pace', async () => {
    const address = await served(['--demo'])
    const answer = await fetch(`${address}/api/pages`, {
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
