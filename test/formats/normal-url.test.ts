import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalUrl, originOf, trackingParameters } from '../../src/formats/url.js'

describe('normalUrl', () => {
  // By hand, after RFC 3986, 6.2 and the WHATWG URL Standard.
  it.each([
    ['HTTP://Example.COM', 'http://example.com/'],
    ['http://example.com:80/a', 'http://example.com/a'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['https://example.com:80/a', 'https://example.com:80/a'],
    ['http://example.com/a#b', 'http://example.com/a'],
    ['http://example.com/a?', 'http://example.com/a'],
    ['http://user:pass@example.com/', 'http://example.com/'],
    ['http://example.com./a', 'http://example.com/a'],
    ['http://example.com../a', 'http://example.com/a'],
    ['http://example.com/%7euser/%c3%a9', 'http://example.com/~user/%C3%A9'],
    ['http://example.com/é?q=ü b', 'http://example.com/%C3%A9?q=%C3%BC%20b'],
    ['http://example.com/a%2Fb', 'http://example.com/a%2Fb'],
    ['http://example.com/100%', 'http://example.com/100%'],
    // Decoded one by one these would be %41, and A the second time.
    ['http://example.com/%%34%31', 'http://example.com/%%341'],
    ['http://example.com/%4%31', 'http://example.com/%4%31'],
    ['http://example.com/%%32%65%%32%65/x', 'http://example.com/%%32e%%32e/x'],
    ['http://example.com/%%7e%41', 'http://example.com/%~A'],
    ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
    ['http://müller.example/', 'http://xn--mller-kva.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[0:0:0:0:0:0:0:1]/', 'http://[::1]/'],
    ['  http://example.com/a\n', 'http://example.com/a'],
    ['http://example.com/?b=1&a=2', 'http://example.com/?b=1&a=2'],
  ])('%j is %s', (text, expected) => expect(normalUrl(text)).toBe(expected))

  it.each([
    '',
    'a',
    '/a',
    'ftp://a.test/',
    'mailto:a@b',
    'javascript:alert(1)',
    'http://',
    'http://./',
    'http://a b/',
    `http://a.test/${'x'.repeat(9000)}`,
  ])('%j is no page', (text) => expect(normalUrl(text)).toBeUndefined())

  it('resolves against a base', () => {
    expect(normalUrl('../x?y', { base: 'http://a.test/b/c/' })).toBe('http://a.test/b/x?y')
    expect(normalUrl('//b.test', { base: 'https://a.test/' })).toBe('https://b.test/')
  })

  it('leaves out tracking parameters if asked', () => {
    const text = 'http://a.test/?utm_source=x&id=1&UTM_Medium=y&fbclid=z'
    expect(normalUrl(text, { without: trackingParameters })).toBe('http://a.test/?id=1')
    expect(normalUrl('http://a.test/?gclid=1', { without: trackingParameters })).toBe(
      'http://a.test/',
    )
    expect(normalUrl(text)).toBe(text)
  })

  it('changes nothing more when applied twice to escapes within escapes', () => {
    const unit = fc.constantFrom(
      '%',
      '%25',
      '%3',
      '3',
      '4',
      '%34',
      '%31',
      '%e',
      '%2e',
      'E',
      '/',
      '?',
      '.',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (path) => {
        const once = normalUrl(`http://a.test/${path}`)!
        expect(normalUrl(once)).toBe(once)
      }),
      { seed: 64, numRuns: 5000 },
    )
  })

  it('changes nothing more when applied twice', () => {
    const part = fc.string({
      unit: fc.oneof(
        fc.constantFrom('%', '2', 'F', 'e', '/', '.', '?', '&', '=', 'é', ' '),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        part,
        (url, more) => {
          const once = normalUrl(url + more)
          if (once !== undefined) expect(normalUrl(once)).toBe(once)
        },
      ),
      { seed: 63, numRuns: 1000 },
    )
  })
})

describe('originOf', () => {
  it('is what robots.txt is about', () => {
    expect(originOf('https://a.test:8443/x')).toBe('https://a.test:8443')
    expect(originOf('http://a.test/x?y#z')).toBe('http://a.test')
    expect(originOf('mailto:a@b')).toBeUndefined()
  })
})
