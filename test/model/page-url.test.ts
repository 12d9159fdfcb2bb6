import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostOf, pageUrl } from '../../src/model/page.js'

describe('the address of a page', () => {
  // By hand, from the WHATWG URL standard.
  it.each([
    ['HTTPS://Example.ORG:443/a/../b#part', 'https://example.org/b'],
    ['http://example.org', 'http://example.org/'],
    ['http://example.org:8080/?q=a b', 'http://example.org:8080/?q=a%20b'],
    ['  https://bücher.example/ ', 'https://xn--bcher-kva.example/'],
  ])('%s is kept as %s', (given, kept) => {
    expect(pageUrl(given)).toBe(kept)
    expect(pageUrl(kept)).toBe(kept)
  })

  it.each([
    '',
    'example.org',
    'ftp://example.org/',
    'javascript:alert(1)',
    'http://',
    'x'.repeat(500),
  ])('is not "%s"', (given) => {
    expect(() => pageUrl(given)).toThrow(/address/)
  })

  it('has the host that the standard parser finds', () => {
    expect(hostOf('https://user:p%40ss@example.org:8443/x@y//z')).toBe('example.org:8443')
    expect(hostOf('http://[::1]:8080/')).toBe('[::1]:8080')
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const url = pageUrl(address)
        expect(hostOf(url)).toBe(new URL(url).host)
      }),
      { seed: 11 },
    )
  })
})
