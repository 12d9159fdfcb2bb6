import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/model/units.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('limits given for pages that are watched already', () => {
  it.each([
    ['--shortest', '200d', '--longest', '1d'],
    ['--longest', '1d', '--shortest', '200d'],
  ])('are refused where they contradict what a page has: %s %s, then %s %s', async (...words) => {
    const { base, revisit } = await crawledSite()
    const [first, second] = [words.slice(0, 2), words.slice(2)]
    await revisit(['watch', `${base}/a`])
    await revisit(['watch', `${base}/b`, ...first])
    // The page that could have taken it comes before the one that cannot, and a new one after.
    const urls = [`${base}/a`, `${base}/b`, `${base}/c`]
    const { code, err, out } = await revisit(['watch', ...urls, ...second, '--importance', '3'])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('--shortest (6.6 months) must not be longer than --longest (24 hours)')
    expect(err).toContain(`${base}/b has that ${first[0]} from before; give both`)
    const shown = async (url: string) => JSON.parse((await revisit(['show', url, '--json'])).out)
    expect(await shown(`${base}/a`)).toMatchObject({ importance: 1 })
    expect((await shown(`${base}/a`)).settings).not.toHaveProperty(second[0]!.slice(2))
    expect((await shown(`${base}/b`)).settings).not.toHaveProperty(second[0]!.slice(2))
    expect(await revisit(['show', `${base}/c`])).not.toMatchObject({ code: 0 })
  })

  it('are taken where they agree, and where both are given anew', async () => {
    const { base, revisit } = await crawledSite()
    const url = `${base}/a`
    await revisit(['watch', url, '--shortest', '2d'])
    for (const words of [
      ['--longest', '3d'],
      ['--shortest', '1h', '--longest', '1d'],
    ])
      expect(await revisit(['watch', url, ...words])).toMatchObject({ code: 0 })
    const { settings } = JSON.parse((await revisit(['show', url, '--json'])).out)
    expect(settings).toMatchObject({ shortest: 3600, longest: DAY })
  })
})
