import { describe, expect, it } from 'vitest'
import { charsetOf, charsetOfHeader, decodedText } from '../../src/formats/charset.js'

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('the encoding of a page', () => {
  // By hand, after the HTML Standard, 13.2.3.2: what its prescan finds in each.
  it.each([
    ['a comment', '<!-- <meta charset=koi8-r> --><meta charset=iso-8859-2>', 'iso-8859-2'],
    ['a comment of two lines', '<!--\n<meta charset="koi8-r">\n-->caf\xe9', 'windows-1252'],
    ['a script', '<script>"<meta charset=koi8-r>"</script>caf\xe9', 'windows-1252'],
    ['a name nobody knows', '<meta charset=bogus><meta charset=koi8-r>', 'koi8-r'],
    ['an empty name', '<meta charset=""><meta charset=koi8-r>', 'koi8-r'],
    [
      'another attribute',
      '<meta name=description content="charset=koi8-r"><meta charset=iso-8859-2>',
      'iso-8859-2',
    ],
  ])('is not told by %s', (_, text, expected) => {
    expect(charsetOf(latin(text))).toBe(expected)
  })

  it.each([
    ['<META CHARSET = "KOI8-R" />', 'koi8-r'],
    ["<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", 'koi8-r'],
    ['<meta http-equiv="content-type" content="text/html charset = koi8-r">', 'koi8-r'],
    ['<?xml version="1.0" encoding=\'koi8-r\'?><rss>', 'koi8-r'],
    ['<?xml version="1.0" encoding="bogus"?><meta charset=koi8-r>', 'koi8-r'],
    ['<meta charset=utf-16>', 'utf-8'],
    [`${' '.repeat(1100)}<meta charset=koi8-r>`, 'utf-8'],
  ])('is told by %s', (text, expected) => {
    expect(charsetOf(latin(text))).toBe(expected)
  })

  it('is UTF-16 by the first letters of markup, without a mark', () => {
    const text = '<?xml version="1.0" encoding="UTF-16"?><a>żółw</a>'
    const little = Buffer.from(text, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [little, big]) expect(decodedText(new Uint8Array(bytes))).toBe(text)
    expect(charsetOf(Uint8Array.of(0x3c, 0, 0, 0))).toBe('utf-8')
  })

  it('is UTF-16 by the first letters of JSON, without a mark, also after spaces', () => {
    for (const text of ['{"a":"żółw"}', '[1]', ' \r\n {"a":1}', '\n<p>żółw</p>']) {
      const little = Buffer.from(text, 'utf16le')
      const big = Buffer.from(little).swap16()
      for (const bytes of [little, big]) expect(decodedText(new Uint8Array(bytes))).toBe(text)
    }
    expect(charsetOf(Uint8Array.of(0x7b, 0, 0, 0))).toBe('utf-8')
    expect(charsetOf(Uint8Array.of(0x20, 0, 0x20, 0))).toBe('utf-8')
  })

  it('is read from a header of any length at once', () => {
    // 62,000 spaces took 19 seconds.
    const spaces = ' '.repeat(5_000_000)
    expect(charsetOfHeader(`text/html; charset=${spaces}`)).toBeUndefined()
    expect(charsetOfHeader(`text/html; charset=${spaces};`)).toBeUndefined()
    expect(charsetOfHeader(`text/html; charset =${spaces}"koi8-r"`)).toBe('koi8-r')
    expect(charsetOfHeader(`text/html;${'charset '.repeat(500_000)}`)).toBeUndefined()
    expect(charsetOfHeader(`text/html${'; charset '.repeat(500_000)}`)).toBeUndefined()
  })
})
