import { describe, expect, it } from 'vitest'
import { bitsApart, compareFingerprints, simhash } from '../../src/content/fingerprint.js'
import { feedItemsText, readPdf } from '../../src/content/media-text.js'
import { pageReader } from '../../src/content/page-reader.js'
import { type ReadingRules, readingRules } from '../../src/content/reading-rules.js'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Json } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { smallPdf } from '../fixtures/small-pdf.js'

type Content = FetchAnswer & { kind: 'content' }

function answer(body: string | Uint8Array, type = 'text/html'): Content {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const headers = { 'content-type': type }
  const url = 'http://a.test/dir/'
  return { kind: 'content', status: 200, at: 1e9, url, headers, bytesReceived: 1, body: bytes }
}

function pageWith(rules: ReadingRules, fingerprint: string | null = null): PageRecord {
  const settings = { reading: rules as unknown as Json }
  return { settings, noise: null, fingerprint } as unknown as PageRecord
}

function fingerprint(body: string | Uint8Array, rules: ReadingRules, type?: string): string {
  const reading = pageReader.read(answer(body, type), pageWith(rules))
  return 'fault' in reading ? `fault ${reading.fault}` : reading.fingerprint
}

/** How the second content compares with the first, by these rules. */
function likeness(rules: ReadingRules, [before, after]: [string, string], type?: string): string {
  return compareFingerprints(fingerprint(before, rules, type), fingerprint(after, rules, type))
}

describe('the ladder of comparisons', () => {
  it('goes from bytes to near-duplicates', () => {
    const markup: [string, string] = ['<p>a b</p>', '<div>a  b</div>']
    expect(likeness({ compare: 'bytes' }, markup)).toBe('different')
    expect(likeness({ compare: 'text' }, markup)).toBe('same')
    const order: [string, string] = ['<p>a b b</p><p>c', '<p>c b</p><p>b a']
    expect(likeness({ compare: 'text' }, order)).toBe('different')
    expect(likeness({ compare: 'words-and-links' }, order)).toBe('same')
    const count: [string, string] = ['<p>a b b', '<p>a a b']
    expect(likeness({ compare: 'words-and-links' }, count)).toBe('different')
  })

  it('sees links by words and links, not by text', () => {
    const link: [string, string] = ['<a href="/x">more</a>', '<a href="/y">more</a>']
    expect(likeness({ compare: 'text' }, link)).toBe('same')
    expect(likeness({ compare: 'words-and-links' }, link)).toBe('different')
    // The set of links: once or twice is the same, and so is where they are relative to.
    const twice: [string, string] = [
      '<a href="x">m</a> <a href="x">m</a>',
      '<a href="/dir/x">m</a> <a href="http://a.test/dir/x">m</a>',
    ]
    expect(likeness({ compare: 'words-and-links' }, twice)).toBe('same')
  })

  it('takes near-duplicates for the same within the threshold, and sees a page that drifts', () => {
    const random = new Random(3)
    const words = Array.from({ length: 400 }, () => `w${Math.floor(random.uniform() * 1e6)}`)
    const text = (changed: number) =>
      `<p>${words.map((word, i) => (i < changed ? `x${i}` : word)).join(' ')}`
    const rules: ReadingRules = { compare: 'near-duplicate', bits: 6 }
    expect(likeness(rules, [text(0), text(1)])).toBe('same')
    expect(likeness(rules, [text(0), text(400)])).toBe('different')
    // The engine keeps the fingerprint of the last change: word by word it gets too far at last.
    const kept = fingerprint(text(0), rules)
    const drifted = words.findIndex(
      (_, i) => compareFingerprints(kept, fingerprint(text(i), rules)) === 'different',
    )
    expect(drifted).toBeGreaterThan(1)
    expect(simhash('a b c d')).toMatch(/^[\da-f]{16}$/)
    expect(bitsApart('ffffffffffffffff', '0000000000000001')).toBe(63)
  })
})

describe('what counts of a page', () => {
  const html = (price: string, ad: string) =>
    `<main><h1>Shop</h1><p class=price>${price}<p>Text</main><aside id=ad>${ad}</aside>`

  it('is what is selected, without what is ignored', () => {
    expect(likeness({ select: ['main'] }, [html('1', 'a'), html('1', 'b')])).toBe('same')
    expect(likeness({ select: ['main'] }, [html('1', 'a'), html('2', 'a')])).toBe('different')
    expect(likeness({ ignore: ['#ad'] }, [html('1', 'a'), html('1', 'b')])).toBe('same')
    const both = { select: ['main'], ignore: ['.price'] }
    expect(likeness(both, [html('1', 'a'), html('2', 'b')])).toBe('same')
    expect(likeness(both, [html('1', 'a'), html('1', 'a').replace('Text', 'Test')])).toBe(
      'different',
    )
  })

  it('is recorded as a failure where nothing is selected', () => {
    expect(fingerprint('<p>x', { select: ['.none'] })).toBe('fault nothing-selected')
  })

  it('leaves out lines and matches', () => {
    const lines: [string, string] = ['<p>keep</p><p>Views: 1</p>', '<p>keep</p><p>Views: 2</p>']
    expect(likeness({ ignoreLines: ['^Views'] }, lines)).toBe('same')
    expect(likeness({ ignoreLines: ['^views'] }, lines)).toBe('different')
    expect(likeness({ ignoreLines: ['(?i)^views'] }, lines)).toBe('same')
    expect(likeness({ ignoreText: ['\\d+'] }, lines)).toBe('same')
    expect(likeness({ ignoreText: ['[a-z]+'] }, lines)).toBe('different')
  })

  it('is not held up by a slow expression on a megabyte', () => {
    const slow = `<p>${'a'.repeat(1e6)}!`
    const before = performance.now()
    // Three stretches that may share the letters in n squared ways; no group, so it is not refused.
    expect(fingerprint(slow, { ignoreText: ['a*a*a*b'] })).toBe('fault rule-too-slow')
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(fingerprint('<p>aab c', { ignoreText: ['a*a*a*b'] })).not.toMatch('fault')
  })

  it('may wait for words', () => {
    const rules = { appear: ['In  Stock'], disappear: ['sold out'] }
    const pages = { out: '<p>Sold out. x', other: '<p>SOLD OUT. y', stock: '<p>Now in\nstock' }
    expect(likeness(rules, [pages.out, pages.other])).toBe('same')
    expect(likeness(rules, [pages.out, pages.stock])).toBe('different')
    // What goes back is let pass, so that the next time it appears is seen.
    expect(likeness(rules, [pages.stock, pages.out])).toBe('quiet')
  })

  it('reads deep and broken pages by selectors too', () => {
    const deep = `${'<div>'.repeat(50_000)}<p id=x>deep</p>`
    expect(fingerprint(deep, { select: ['#x'] })).toBe(
      fingerprint('<p id=x>deep', { select: ['#x'] }),
    )
    const list = '<ul><li>a<li class=n>b<li>c</ul>'
    expect(likeness({ select: ['.n'] }, [list, '<b class=n>b'])).toBe('same')
  })
})

describe('rules', () => {
  it('are checked when they are set', () => {
    const refused: [Json, RegExp][] = [
      [{ select: ['p['] }, /no CSS selector/],
      [{ select: ['p:nope(x)'] }, /no CSS selector/],
      [{ ignoreText: ['('] }, /no regular expression/],
      [{ ignoreText: ['(a+)+$'] }, /may never end/],
      [{ ignoreLines: ['(?:a|a)*b'] }, /may never end/],
      [{ ignoreLines: ['((x{2,}y)z)*'] }, /may never end/],
      [{ ignorePaths: ['$.a['] }, /no path in JSON/],
      [{ compare: 'hash' }, /bytes, text, words-and-links, near-duplicate/],
      [{ compare: 'near-duplicate', bits: 40 }, /0 to 32/],
      [{ colour: 'red' }, /no reading rule/],
      [{ select: [''] }, /texts of up to/],
    ]
    for (const [rules, message] of refused) expect(() => readingRules(rules)).toThrow(message)
    for (const fine of ['(?:ab)+', '\\d+(?:\\.\\d+)?', '[+*]{2,}', '(a|b)c', '^\\(x+\\)$'])
      expect(readingRules({ ignoreText: [fine] })).toBeDefined()
  })

  it('that changed make a content incomparable, and the page one to be asked for anew', () => {
    const usual = fingerprint('<p>x', {})
    const words = fingerprint('<p>x', { compare: 'words-and-links' })
    expect(compareFingerprints(usual, words)).toBe('incomparable')
    expect(compareFingerprints(words, fingerprint('<p>x', { ignore: ['b'] }))).toBe('incomparable')
    const rules: ReadingRules = { compare: 'words-and-links' }
    expect(pageReader.isCurrent?.(pageWith(rules, words))).toBe(true)
    expect(pageReader.isCurrent?.(pageWith(rules, usual))).toBe(false)
    expect(pageReader.isCurrent?.(pageWith({}, words))).toBe(false)
  })
})

describe('contents that are no pages', () => {
  it('JSON: neither order of names nor white space counts', () => {
    const json = 'application/json; charset=utf-8'
    expect(likeness({}, ['{"a":1,"b":[1,2]}', '{ "b": [1, 2],\n "a": 1 }'], json)).toBe('same')
    expect(likeness({}, ['{"b":[1,2]}', '{"b":[2,1]}'], json)).toBe('different')
    // Beyond 2^53 a double would take these two for one.
    expect(likeness({}, ['{"b":12345678901234567890}', '{"b":12345678901234567891}'], json)).toBe(
      'different',
    )
    const paths = { ignorePaths: ['$.meta.time', '$..id', 'items[*]["made at"]'] }
    const made = (n: number) =>
      `{"meta":{"time":${n},"v":1},"items":[{"id":${n},"made at":${n},"t":"x"}]}`
    expect(likeness(paths, [made(1), made(2)], json)).toBe('same')
    expect(likeness(paths, [made(1), made(1).replace('"x"', '"y"')], json)).toBe('different')
    expect(likeness({}, ['{"a":', '{"a":'], json)).toBe('same')
  })

  it('feeds: items count, build dates do not', () => {
    const feed = (built: string, title: string) =>
      `<?xml version="1.0"?><rss version="2.0"><channel><title>F</title><lastBuildDate>${built}</lastBuildDate><item><title>${title}</title><link>http://a.test/1</link><guid>1</guid><pubDate>Tue, 14 Nov 2023 22:13:20 GMT</pubDate></item></channel></rss>`
    const type = 'application/rss+xml'
    expect(likeness({}, [feed('Tue', 'a'), feed('Wed', 'a')], type)).toBe('same')
    expect(likeness({}, [feed('Tue', 'a'), feed('Tue', 'b')], type)).toBe('different')
  })

  it('feeds under a prefix: items count, build dates do not', () => {
    const atom = (built: string, title: string) =>
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:updated>${built}</a:updated><a:entry><a:title>${title}</a:title></a:entry></a:feed>`
    const type = 'application/atom+xml'
    expect(likeness({}, [atom('Tue', 'a'), atom('Wed', 'a')], type)).toBe('same')
    expect(likeness({}, [atom('Tue', 'a'), atom('Tue', 'b')], type)).toBe('different')
    // A name without end is looked for no further than fifty letters, at each of its places.
    const began = performance.now()
    for (let i = 0; i < 100; i++) feedItemsText(`<${'a'.repeat(1999)}`)
    feedItemsText(`${'<a'.repeat(1000)}`)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('PDF: its text counts, its bytes where it cannot be read', async () => {
    const read = async (bytes: Uint8Array) => {
      const content = answer(bytes, 'application/pdf')
      await readPdf(content)
      const reading = pageReader.read(content, pageWith({}))
      return 'fault' in reading ? reading.fault : reading.fingerprint
    }
    const [one, again, other] = [smallPdf('Hello', 1), smallPdf('Hello', 2), smallPdf('Bye', 1)]
    expect(await read(one)).toBe(await read(again))
    expect(await read(one)).not.toBe(await read(other))
    const broken = (n: number) => new TextEncoder().encode(`%PDF-1.4 broken\0 ${n}`)
    expect(await read(broken(1))).not.toBe(await read(broken(2)))
  })
})
