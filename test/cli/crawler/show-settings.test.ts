import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('revisit show', () => {
  it('has a line for every setting that a page can have, and no value of a header', async () => {
    const { base, revisit } = await crawledSite()
    const settings = {
      '--group': ['news'],
      '--importance': ['5'],
      '--hours': ['mon-fri 8-18'],
      '--policy': ['fixed:gap=1d'],
      '--objective': ['delay'],
      '--shortest': ['1h'],
      '--longest': ['2d'],
      '--header': ['Cookie: hush'],
      '--auth': ['me:hush'],
      '--select': ['main'],
      '--browser': [],
      '--mute': [],
      '--discover': [],
    }
    const options = Object.entries(settings).flatMap(([name, value]) => [name, ...value])
    await revisit(['watch', `${base}/a`, ...options])
    const { out } = await revisit(['show', `${base}/a`])
    const rows = Object.fromEntries(
      out.split('\n').flatMap((line) => {
        const found = /^ {2}(\S.*?) {2,}(.+)$/.exec(line)
        return found === null ? [] : [[found[1], found[2]]]
      }),
    )
    expect(rows).toMatchObject({
      group: 'news',
      importance: '5',
      hours: 'mon-fri 8-18 (UTC)',
      policy: 'fixed:gap=1d',
      objective: 'delay',
      'shortest gap': '60 minutes',
      'longest gap': '2 days',
      headers: 'cookie, authorization',
      only: 'main',
      'noise check': 'on',
      'rendered by': 'a browser',
      notified: 'nobody: it is muted',
      finds: 'pages up to 3 links from here, at most 1000',
    })
    expect(out).not.toMatch(/hush|Basic/)
  })

  it("goes by a page's own objective, else its group's, else the configuration's", async () => {
    const { base, revisit } = await crawledSite()
    const asked = async (...flags: string[]) => {
      const { out } = await revisit(['show', `${base}/a`, '--json', ...flags])
      return (JSON.parse(out) as { objective: string }).objective
    }
    await revisit(['watch', `${base}/a`, '--group', 'prices'])
    const all = ['--objective', 'changes-caught']
    const group = ['--group-objectives', 'prices=delay,news=freshness']
    expect(await asked()).toBe('freshness')
    expect(await asked(...all)).toBe('changes-caught')
    expect(await asked(...all, ...group)).toBe('delay')
    await revisit(['watch', `${base}/a`, '--objective', 'freshness'])
    expect(await asked(...all, ...group)).toBe('freshness')
    await revisit(['watch', `${base}/a`, '--objective', 'none'])
    expect(await asked(...all, ...group)).toBe('delay')
    const refused = await revisit(['watch', `${base}/a`, '--objective', 'speed'])
    expect(refused.err).toContain(
      'there is no objective "speed"; there are: freshness, delay, changes-caught',
    )
    expect(await asked()).toBe('freshness')
  })

  it('says which pages were found by themselves', async () => {
    const site = await crawledSite({
      '/': { body: '<a href="/next">next</a>' },
      '/next': { body: 'N' },
    })
    await site.revisit(['watch', `${site.base}/`, '--discover'])
    await site.revisit(['run', '--once'])
    const reported = async (path: string) => (await site.revisit(['show', site.base + path])).out
    expect(await reported('/next')).toMatch(/ found +by itself, from a page or a list\n/)
    expect(await reported('/')).not.toMatch(/ found +by itself/)
  })
})
