import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRobots } from '../../src/formats/robots-file.js'
import { RobotsPermit } from '../../src/formats/robots-permit.js'
import { originOf } from '../../src/formats/url.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

interface RobotsCase {
  readonly id: string
  readonly source: string
  readonly robots_txt: string | null
  readonly robots_url?: string
  readonly user_agent: string
  readonly url: string
  readonly allowed: boolean | null
  readonly disputed?: boolean
  readonly note?: string
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

function allows(text: string, path: string, agent = 'revisit'): boolean {
  return new RobotsPermit(readRobots(text, { agent })).allows(path)
}

/** Null where the robots.txt is not that of the page: the crawler would never ask it. */
function verdict(each: RobotsCase): boolean | null {
  const { robots_txt: text, user_agent: agent, url } = each
  if (!applies(each)) return null
  return allows(text ?? '', pathOf(url), agent)
}

/** Projects other than robots-parser give no address of the file: it is then the page's own. */
function applies({ robots_url: given, source, url }: RobotsCase): boolean {
  if (source !== 'samclarke/robots-parser') return true
  if (url.startsWith('/')) return given === '/robots.txt'
  return (
    given !== undefined &&
    URL.canParse(given) &&
    `${originOf(url)}/robots.txt` === new URL(given).href
  )
}

/** That library says "disallowed" where its test means "does not apply". */
function expected({ allowed, note }: RobotsCase, got: boolean | null): boolean | null {
  return got === null && note?.includes('not applicable') ? null : allowed
}

/** The path with its query, as the WHATWG parser gives it; an empty query keeps its mark. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + (search === '' && /^[^#?]*\?(?:#|$)/.test(url) ? '?' : search)
}

describe('robots.txt, cases of other projects', () => {
  const path = sharedPath('suites/robots.json')
  it.skipIf(path === undefined)(`decides all but the disputed ones alike (${absent})`, () => {
    const cases = (json(path!) as RobotsCase[]).filter((each) => each.disputed !== true)
    const wrong = cases.filter((each) => {
      const got = verdict(each)
      return got !== expected(each, got)
    })
    expect(wrong.map((each) => `${each.id} ${each.allowed}`)).toEqual([])
    expect(cases.length).toBe(536)
  })

  const extra = sharedPath('suites/robots_extra.json')
  it.skipIf(extra === undefined)(`reads Crawl-delay and Sitemap lines alike (${absent})`, () => {
    const { crawl_delay: delays, sitemaps } = json(extra!)
    for (const each of delays) {
      const { crawlDelay } = readRobots(each.robots_txt, { agent: each.user_agent })
      expect(crawlDelay, JSON.stringify(each)).toBe(each.crawl_delay_s)
    }
    for (const each of sitemaps)
      expect(readRobots(each.robots_txt, { agent: 'a' }).sitemaps).toEqual(each.sitemaps)
  })

  const real = sharedPath('suites/robots_real.jsonl.gz')
  it.skipIf(real === undefined)(
    `reads 4,231 real files without a hang (${absent})`,
    ({ annotate }) => {
      const lines = gunzipSync(readFileSync(real!)).toString('utf8').trim().split('\n')
      let longest = { took: 0, domain: '' }
      for (const line of lines) {
        const { domain, content, content_base64 } = JSON.parse(line)
        const text = content ?? Buffer.from(content_base64, 'base64').toString('utf8')
        const from = performance.now()
        expect(typeof allows(text, `/${'a/'.repeat(200)}?q=1`)).toBe('boolean')
        const took = performance.now() - from
        if (took > longest.took) longest = { took, domain }
      }
      expect(lines.length).toBe(4231)
      const note = `longest of ${lines.length}: ${longest.took.toFixed(1)} ms (${longest.domain})`
      process.stdout.write(`robots.txt, ${note}\n`)
      return annotate(note)
    },
  )
})

describe('robots.txt', () => {
  it('finds a crawler by the whole name of a User-agent line or by its first word', () => {
    const names = [
      'Foo Bar',
      'Foo (+https://example.org/bot)',
      'foo, other',
      'Foo; x',
      'Foo[x]',
      'Foo/2.1 beta',
    ]
    for (const name of names) {
      const text = `User-agent: *\nDisallow:\n\nUser-agent: ${name}\nDisallow: /private`
      expect(allows(text, '/private', 'Foo/1.0'), name).toBe(false)
      expect(allows(text, '/private', 'Bar'), name).toBe(true)
    }
    const two = 'User-agent: Foo Bar\nDisallow: /private'
    expect(allows(two, '/private', 'Foo Bar/1.0')).toBe(false)
    expect(allows(two, '/private', 'Foobar')).toBe(true)
    expect(allows('User-agent: * (all)\nDisallow: /private', '/private', 'Foo')).toBe(false)
  })

  it('keeps a group together over records that are none of its rules', () => {
    // RFC 9309, 2.2.4: by hand, all three agents are of one group.
    const text = [
      'User-agent: first',
      'Crawl-delay: 5',
      'User-agent: second',
      'Clean-param: ref',
      'Host: example.org',
      'Sitemap: https://example.org/map.xml',
      'User-agent: third',
      'Disallow: /private',
      'Crawl-delay: 9',
      'User-agent: fourth',
      'Disallow: /other',
    ].join('\n')
    for (const agent of ['first', 'second', 'third'])
      expect(allows(text, '/private', agent), agent).toBe(false)
    expect(allows(text, '/private', 'fourth')).toBe(true)
    const delays = ['first', 'second', 'third', 'fourth'].map(
      (agent) => readRobots(text, { agent }).crawlDelay,
    )
    expect(delays).toEqual([5, 9, 9, null])
  })

  it('takes a $ at the end as an anchor and nothing else', () => {
    const text = 'User-agent: *\nDisallow: /\nAllow: /x$\nAllow: /y%24'
    expect(allows(text, '/x')).toBe(true)
    for (const path of ['/x$', '/x$secret', '/x%24secret', '/xy'])
      expect(allows(text, path)).toBe(false)
    for (const path of ['/y$', '/y$more', '/y%24']) expect(allows(text, path)).toBe(true)
  })

  it('forgives a colon left out, in one line or in all, but reads no prose as rules', () => {
    const text =
      'User-agent: *\nDisallow /one\nDisallow\t/a:b\nDisallow: /two\nAllow all of /three here'
    for (const path of ['/one', '/a:b', '/two']) expect(allows(text, path), path).toBe(false)
    expect(readRobots(text, { agent: 'x' }).rules).toHaveLength(3)
    expect(allows('User agent *\nDisallow /one', '/one')).toBe(false)
    expect(allows('User agent Foo Bar\nDisallow /one', '/one', 'Foo')).toBe(false)
    const { sitemaps } = readRobots('Sitemap https://example.org/map.xml', { agent: 'x' })
    expect(sitemaps).toEqual(['https://example.org/map.xml'])
  })

  it('does not hang on a wildcard bomb', () => {
    const bomb = `User-agent: *\nDisallow: /${'*a'.repeat(5000)}$\n`.repeat(10)
    expect(allows(bomb, `/${'a'.repeat(4999)}b`)).toBe(true)
    expect(allows(bomb, `/${'a'.repeat(6000)}`)).toBe(false)
  })

  it('lets the last rule match once where two parts could share characters', () => {
    // By hand: `/a*ab$` needs an a, then a later ab at the end.
    expect(allows('User-agent: *\nDisallow: /a*ab$', '/ab')).toBe(true)
    expect(allows('User-agent: *\nDisallow: /a*ab$', '/aab')).toBe(false)
    expect(allows('User-agent: *\nDisallow: /a*ab$', '/abxab')).toBe(false)
  })

  it('reads any text, and a path is allowed or not', () => {
    const any = fc.string({ unit: 'binary', maxLength: 200 })
    const lines = fc.array(
      fc.tuple(
        fc.constantFrom('User-agent: *', 'Disallow: ', 'Allow: /', '#', 'Disallow: /*'),
        any,
      ),
    )
    fc.assert(
      fc.property(lines, any, (parts, path) => {
        const text = parts.map(([head, tail]) => head + tail).join('\n')
        expect(typeof allows(text, `/${path}`)).toBe('boolean')
      }),
      { seed: 6 },
    )
  })

  it('agrees with a plain search through all splits', () => {
    const alphabet = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, fc.boolean(), alphabet, (raw, anchored, path) => {
        const source = raw.replaceAll('*', '.*')
        const expected = new RegExp(`^/${source}${anchored ? '$' : ''}`).test(`/${path}`)
        const text = `User-agent: *\nDisallow: /${raw}${anchored ? '$' : ''}`
        expect(allows(text, `/${path}`)).toBe(!expected)
      }),
      { seed: 60, numRuns: 500 },
    )
  })
})
