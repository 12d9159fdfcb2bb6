import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

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
    expect(out).toMatch(/ticker .* in \d+ days, too fast to follow\n/)
    expect(out).toMatch(/\n1 page too fast to follow: .*--longest 1d URL/)

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
  })
})
