import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

/** A page that is watched with options, and what is kept of them after each further `watch`. */
async function watched(...options: string[]) {
  const { base, revisit } = await crawledSite()
  const url = `${base}/a`
  const watch = async (...more: string[]) => {
    const { code, err } = await revisit(['watch', url, ...more])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const page = JSON.parse((await revisit(['show', url, '--json'])).out)
    return { settings: page.settings, group: page.group, importance: page.importance }
  }
  return { before: await watch(...options), watch }
}

const usual = { settings: { noiseCheck: true }, group: undefined, importance: 1 }

describe('none', () => {
  it.each([
    ['--hours', 'mon-fri 8-18'],
    ['--policy', 'fixed:gap=1d'],
    ['--shortest', '1h'],
    ['--longest', '2d'],
    ['--group', 'news'],
    ['--importance', '5'],
    ['--header', 'Cookie: a=b'],
    ['--auth', 'me:secret'],
  ])('takes %s away', async (option, value) => {
    const { before, watch } = await watched(option, value)
    expect(before).not.toEqual(usual)
    expect(await watch(option, 'none')).toEqual(usual)
  })

  it('leaves the other settings of the page alone', async () => {
    const { watch } = await watched('--shortest', '1h', '--longest', '2d', '--group', 'news')
    expect(await watch('--longest', 'none')).toEqual({
      ...usual,
      settings: { noiseCheck: true, shortest: 3600 },
      group: 'news',
    })
  })

  it('says nothing about a page that is new', async () => {
    const { before } = await watched('--hours', 'none', '--policy', 'none', '--group', 'none')
    expect(before).toEqual(usual)
  })

  it('beside other headers leaves those', async () => {
    const { watch } = await watched('--header', 'Cookie: a=b', '--auth', 'me:secret')
    const { settings } = await watch('--header', 'Cookie: a=b', '--auth', 'none')
    expect(settings.headers).toEqual({ cookie: '(not shown)' })
  })

  it('plans the next visit as for a page without a policy of its own', async () => {
    const site = await crawledSite({ '/a': { body: 'A' } })
    const due = async () =>
      JSON.parse((await site.revisit(['show', `${site.base}/a`, '--json'])).out).due
    await site.revisit(['watch', `${site.base}/a`, '--policy', 'fixed:gap=100d'])
    await site.revisit(['run', '--once'])
    const far = await due()
    await site.revisit(['watch', `${site.base}/a`, '--policy', 'none'])
    const near = await due()
    expect(near.at).toBeLessThan(far.at - 50 * 86_400)
    // By the hour of the week at which it runs, one or the other is worth more.
    expect(near.reason).toMatch(/x the price of a request|to learn how often/)
  })
})

describe('what is no word but a choice', () => {
  it.each([
    [['--browser'], ['--no-browser']],
    [['--discover', '--depth', '2'], ['--no-discover']],
    [['--no-noise-check'], ['--noise-check']],
    [['--select', 'main'], ['--read-plainly']],
  ])('is taken back: %j by %j', async (on, off) => {
    const { before, watch } = await watched(...on)
    expect(before).not.toEqual(usual)
    expect(await watch(...off)).toEqual(usual)
  })

  it('stays as it is where nothing is said of it', async () => {
    const { before, watch } = await watched('--browser', '--discover', '--no-noise-check')
    expect(await watch('--group', 'news')).toEqual({ ...before, group: 'news' })
  })

  it('is not refined and taken back at once', async () => {
    const { base, revisit } = await crawledSite()
    const { code, err } = await revisit(['watch', `${base}/a`, '--no-discover', '--depth', '2'])
    expect(code).toBe(2)
    expect(err).toContain('--depth goes with --discover')
  })
})
