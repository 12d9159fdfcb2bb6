import { describe, expect, it } from 'vitest'
import { usualPrices } from '../../../src/planner/value/objective.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

const day = 86_400

/** A page that is another at each of six visits, and one that is not there. */
async function restlessSite() {
  const site = await crawledSite()
  const urls = [`${site.base}/ticker`, `${site.base}/gone`]
  await site.revisit(['watch', '--no-noise-check', ...urls])
  for (let i = 0; i < 6; i++) {
    site.pages['/ticker'] = { body: `<title>t</title><p>Number ${i}</p>` }
    await site.revisit(['visit', ...urls])
  }
  return site
}

describe('what is said of pages that are too fast, gone, or hardly watched', () => {
  it('is in list, in plan and in evaluate --own', async () => {
    const { base, revisit } = await restlessSite()

    const shown = JSON.parse((await revisit(['show', `${base}/ticker`, '--json'])).out)
    expect(shown).toMatchObject({ visits: 6, changes: 5 })
    const { out } = await revisit(['list'])
    // How long by the clock hangs on how fast this machine made the six visits; thirty usual prices at the most.
    expect(out).toMatch(/ticker .* in [\d.]+ (hours|days), too fast to follow\n/)
    expect(shown.due.at - shown.lastVisit.at).toBeLessThanOrEqual(30 * usualPrices.freshness)
    expect(out).toMatch(/\n1 page too fast to follow: .*a shorter --longest/)

    const plan = await revisit(['plan'])
    expect(plan.out).toContain('1 page gone or failed at every visit so far')
    expect(plan.out).not.toContain('not visited yet')
    expect(JSON.parse((await revisit(['plan', '--json'])).out)).toMatchObject({
      unseen: 0,
      withoutContent: 1,
    })

    const { err } = await revisit(['evaluate', '--own', '--policies', 'equal', '--yes'])
    expect(err).toMatch(
      /the visits span \S+ (milli)?seconds? at most, too short for [\d., ]+ visits a page and day/,
    )
    expect(err).toMatch(/\. Ignore these figures until at least [\d.]+ months are recorded\n/)
  })

  it('is counted in list as it is marked: not where a page is due, or waits for something else', async () => {
    const { env, revisit } = await crawledSite()
    const now = Date.now() / 1000
    const price = 'changed at the last visit; too fast to follow for the price of a request'
    const dues = {
      waits: { at: now + day, reason: price },
      due: { at: now - day, reason: price },
      paced: { at: now + day, reason: 'every page every 24 hours' },
    }
    const names = Object.keys(dues) as (keyof typeof dues)[]
    const rows = names.flatMap((name) =>
      Array.from({ length: 6 }, (_, i) => {
        const at = Math.round(now - 10 * day + 60 * i)
        return `https://a.example/${name},${at},${i === 0 ? 'first' : 'changed'}`
      }),
    )
    const log = ['url,at,changed', ...rows, ''].join('\n')
    expect((await revisit(['import'], { input: log })).code).toBe(0)
    const store = await openSqliteStore({ path: env.REVISIT_DATABASE! })
    for (const name of names) {
      const page = { collection: 'default', url: `https://a.example/${name}` }
      await store.changePage(page, { due: dues[name] })
    }
    await store.close()

    const { out } = await revisit(['list'])
    expect(out).toMatch(/waits .* in 24 hours, too fast to follow\n/)
    expect(out).toMatch(/due .* due\n/)
    expect(out).toMatch(/paced .* in 24 hours\n/)
    expect(out).toContain('\n1 page too fast to follow: ')
  })
})
