import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { siteOf } from '../../src/formats/url.js'

/** The same by the URL parser alone. Not by `canParse`: after some calls it denies hosts such as `ü` (Node 20.20). */
function parsed(text: string) {
  try {
    const { protocol, host, origin, pathname, search, href } = new URL(text)
    if (!/^https?:$/.test(protocol) || host === '') return undefined
    return { host, origin, path: pathname + search, href }
  } catch {
    return undefined
  }
}

describe('the site of an address', () => {
  it.each([
    'http://a.example/',
    'https://a.example:8443/x/y.html?z=1&w=%20',
    'http://127.0.0.1:40001/page/7',
    'http://127.1/',
    'http://A.example/',
    'http://a.example',
    'http://a.example:80/',
    'https://a.example:0443/',
    'http://a.example/a/../b',
    'http://a.example/a/%2e%2E/b',
    'http://a.example/.well-known/x',
    'http://a.example/a?',
    'http://a.example/a??',
    'http://a.example/?q=/../x',
    "http://a.example/?it's",
    'http://a.example/a b',
    'http://a.example/ä',
    'http://a.example/a\tb',
    'http://a.example/x#y',
    'http://user:word@a.example/x',
    'http://xn--a/x',
    'http://bücher.example/x',
    'http:/a.example/x/y',
    'http:///a.example/x',
    'http:\\\\a.example\\x',
    'http://[::1]:80/x',
    'http://a_b.example/x',
    'ftp://a.example/x/y',
    'file:///x/y/z/long',
    'about:blank/////////',
    '',
  ])('is what the parser says of %j', (text) => {
    expect(siteOf(text)).toEqual(parsed(text))
  })

  it('is what the parser says of anything', () => {
    const piece = fc.constantFrom(
      ...[
        'http://',
        'https://',
        'a',
        'B',
        '.',
        '..',
        '/',
        '//',
        '?',
        '#',
        '%',
        '%2e',
        '%2E',
        '%20',
      ],
      ...[
        ':',
        ':80',
        ':443',
        ':81',
        '@',
        '\\',
        "'",
        '"',
        ' ',
        'ü',
        '|',
        '^',
        '{',
        '~',
        '!',
        '1',
        '0x7',
      ],
      ...['example', 'xn--', '[::1]', '\n', '&', '=', '+', ';', ',', '$', '(', '*', '_', '-'],
    )
    const texts = fc
      .tuple(fc.constantFrom('http://', 'https://', ''), fc.array(piece, { maxLength: 12 }))
      .map(([scheme, pieces]) => scheme + pieces.join(''))
    const same = (text: string) => {
      expect(siteOf(text)).toEqual(parsed(text))
    }
    fc.assert(fc.property(texts, same), { seed: 7, numRuns: 5000 })
  })
})
