import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageReader } from '../../src/content/page-reader.js'
import { readContent } from '../../src/content/read-content.js'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Reading } from '../../src/model/reader.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

type Content = FetchAnswer & { kind: 'content' }

function answer(html: string | Uint8Array, type = 'text/html; charset=utf-8'): Content {
  const body = typeof html === 'string' ? Buffer.from(html) : html
  const headers = { 'content-type': type }
  const url = 'http://a.test/'
  return { kind: 'content', status: 200, at: 1e9, url, headers, bytesReceived: 1, body }
}

const page = { settings: {}, noise: null } as unknown as PageRecord
const fingerprint = (content: Content) => (pageReader.read(content, page) as Reading).fingerprint

/** Tags, white space of all kinds, entities, letters of one to four bytes and of several forms. */
const pieces = [
  ...'<p> </p> <P> </P > <b> </b> <br/> <div title="a>b"> </div> <a href=x> </a> <title> </title> <TITLE>'.split(
    / (?=<)/,
  ),
  ...'<script> </script> <noscript> </noscript> <textarea> </textarea> <plaintext> <template> </template>'.split(
    / (?=<)/,
  ),
  ...'<!-- --> <!--> <![CDATA[ ]]> <!x> <?x> < > & &amp; &amp &lt; &nbsp; &#9; &#xd800; &nGt; &bogus; &#x3000;'.split(
    ' ',
  ),
  ...[' ', '  ', '\n', '\r\n', '\t', '\f', '\v', '\0', '\x01', '\x1f', '\x7f', '\x85', '!', 'a'],
  ...['\xa0', '\u1680', '\u2000', '\u200a', '\u200b', '\u2028', '\u202f', '\u205f', '\u3000'],
  ...['\ufeff', '\u180e', '\u2060', '\u3001', '\u00e9', 'e\u0301', '\u201c', '\u0439', '\u0418'],
  ...[
    '\u0306',
    '\u4e2d',
    '\uac00',
    '\u1100',
    '\u1161',
    '\u212b',
    '\ufb1d',
    '\u{1f600}',
    '\u{1d15e}',
  ],
  ...[
    '<mar\u212a>',
    '</mar\u212a>',
    '<em\u00df>',
    '<\u00e9>',
    'the tide was late',
    'some more words',
  ],
]

const soup = fc
  .array(fc.constantFrom(...pieces), { maxLength: 40 })
  .map((parts) => Buffer.from(parts.join('')))
/** Some of the bytes lost, so that it may be no UTF-8. */
const broken = fc.tuple(soup, fc.nat(), fc.nat({ max: 3 })).map(([bytes, at, lost]) => {
  const from = at % (bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + lost)])
})

describe('the fingerprint for the loop', () => {
  it('is that of the whole reading, for any page in any bytes', () => {
    const types = ['text/html; charset=utf-8', 'text/html', 'text/html; charset=windows-1252', '']
    fc.assert(
      fc.property(fc.oneof(soup, broken), fc.constantFrom(...types), (bytes, type) => {
        const content = answer(bytes, type)
        expect(fingerprint(content)).toBe(readContent(content).fingerprint)
      }),
      { seed: 11, numRuns: 5000 },
    )
  })

  it('is the same however words and white space follow each other', () => {
    const words = fc.constantFrom(
      'a',
      'bc',
      'def',
      ' ',
      ' ',
      '\n',
      '\u00e9',
      '\u3000',
      '<b>',
      '&lt;',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const content = answer(parts.join(''))
        expect(fingerprint(content)).toBe(readContent(content).fingerprint)
      }),
      { seed: 12, numRuns: 2000 },
    )
  })

  // Of what a reader sees, by `printf ... | sha256sum`; fingerprints are kept, and must stay.
  it.each([
    [
      // One\ntwo three four
      '<!doctype html><title>t</title><h1>One</h1><p>two  three\n four</p><script>5</script>',
      '64b68bd1281438da89e00fa537374f0ccd338ed75644f06089f119bc60ac6139',
    ],
    [
      // café é café\n“q”\nx y &bogus; &
      '<p>caf\u00e9 &eacute; cafe\u0301</p><p>\u00a0 \u2003</p><ul><li>\u201cq\u201d<li>&nbsp;x&#32;&#9; y &bogus; &amp</ul>',
      '800000defac4bbeef3c7ebc4f57822fa9c1650e9616278680910165235746494',
    ],
    [
      // Да нет\n中文 字 é
      '\ufeff<body>\u0414\u0430 <b>\u043d\u0435</b>\u0442<br>\u4e2d\u6587\u3000\u5b57 e<i>\u0301</i></body>',
      '26f172b64921964ad46072d877e805448756aea032105ff65ee1d1f69221a184',
    ],
    // Nothing to see: of the bytes.
    ['<script>only</script>', 'e10a8d621d9221e6d5c808406f22888a33380d7ff0bf7b94e04e3de511077280'],
    // ab\ncd: the Kelvin sign is a k in lower case, and <mark> stands in a line.
    [
      '<mar\u212a>a</mar\u212a>b<em\u00df>c</em>d',
      '41b72d4bfcbee9afefc1319dc198260e7dfd43b16d45f56b3bdded5e8427fea7',
    ],
  ])('stays what it was: %s', (html, known) => {
    expect(fingerprint(answer(html))).toBe(known)
    expect(readContent(answer(html)).fingerprint).toBe(known)
  })

  it('does not depend on what was read before, or on the place of the bytes', () => {
    const long = answer(`<p>${'long words '.repeat(300_000)}</p>`)
    const short = answer('<p>short</p>')
    const inside = answer(Buffer.from('xxx<p>short</p>yyy').subarray(3, 15))
    const before = fingerprint(short)
    expect(fingerprint(long)).toBe(readContent(long).fingerprint)
    expect(fingerprint(short)).toBe(before)
    expect(fingerprint(inside)).toBe(before)
  })

  const real = sharedPath('suites/robots_real.jsonl.gz')
  it.skipIf(real === undefined)(`is the same for 4,231 real files (${absent})`, () => {
    const lines = gunzipSync(readFileSync(real!)).toString('utf8').trim().split('\n')
    for (const line of lines) {
      const { content, content_base64 } = JSON.parse(line)
      const body = Buffer.from(content ?? content_base64, content === undefined ? 'base64' : 'utf8')
      const each = answer(body.subarray(0, 100_000), 'text/html')
      expect(fingerprint(each)).toBe(readContent(each).fingerprint)
    }
    expect(lines.length).toBe(4231)
  })
})
