import { describe, expect, it } from 'vitest'
import { readText } from '../fixtures/read-text.js'

const log = (...lines: string[]) => `${lines.join('\n')}\n`
const short = async (text: string) =>
  (await readText(text)).visits.map(({ line, url, at, outcome }) => [line, url, at, outcome])

describe('CSV', () => {
  it('reads visits by the names of the columns, in any order, with others between', async () => {
    const text = log(
      'note,changed,URL, at ,size',
      'a,true,https://e.org/,1714521600,12',
      ',no,https://e.org/b,1714521601,',
    )
    expect(await short(text)).toEqual([
      [2, 'https://e.org/', 1714521600, 'changed'],
      [3, 'https://e.org/b', 1714521601, 'unchanged'],
    ])
  })

  it.each([
    ['true', 'changed'],
    ['TRUE', 'changed'],
    ['1', 'changed'],
    ['yes', 'changed'],
    ['false', 'unchanged'],
    ['False', 'unchanged'],
    ['0', 'unchanged'],
    ['no', 'unchanged'],
    ['changed', 'changed'],
    ['unchanged', 'unchanged'],
    ['first', 'first'],
    ['failed', 'failed'],
    ['gone', 'gone'],
    ['Refused', 'refused'],
  ])('takes %s as %s', async (word, outcome) => {
    const { visits } = await readText(log('url,at,changed', `u,1714521600,${word}`))
    expect(visits[0]?.outcome).toBe(outcome)
  })

  it('reads digests, and an empty one as a failed visit', async () => {
    const { visits } = await readText(log('url,at,digest', 'u,1714521600,ABC', 'u,1714521700,'))
    expect(visits.map(({ outcome, digest }) => [outcome, digest])).toEqual([
      ['by-digest', 'ABC'],
      ['failed', ''],
    ])
  })

  it('unquotes as RFC 4180 does: commas, doubled quotes, line ends inside a field', async () => {
    const text = [
      'url,note,at,changed',
      '"https://e.org/?a=1,2","said ""so""\nand more","1714521600","true"',
      '"https://e.org/""q""",x,1714521600,0',
      'https://e.org/a"b,x,1714521600,0',
    ].join('\r\n')
    expect(await short(text)).toEqual([
      [2, 'https://e.org/?a=1,2', 1714521600, 'changed'],
      [4, 'https://e.org/"q"', 1714521600, 'unchanged'],
      [5, 'https://e.org/a"b', 1714521600, 'unchanged'],
    ])
  })

  it('does without a final line end, with a byte order mark, CRLF and blank lines', async () => {
    const text = '\ufeff\r\n\r\nurl,at,changed\r\n\r\nu,1714521600,1\r\n   \r\nv,1714521600,0'
    expect(await short(text)).toEqual([
      [5, 'u', 1714521600, 'changed'],
      [7, 'v', 1714521600, 'unchanged'],
    ])
  })

  it.each([
    ['u,1714521600', 'missing-field', /header has 3 fields, this line 2/],
    ['u,v,1714521600,1', 'extra-field', /this line 4; put a field/],
    [',1714521600,1', 'no-url', /url is empty/],
    ['u,,1', 'no-time', /time is empty/],
    ['u,soon,1', 'bad-time', /"soon" is not a time/],
    ['u,1714521600,maybe', 'bad-outcome', /"maybe"/],
    ['u,1714521600,', 'bad-outcome', /nothing says whether/],
    ['"u"x,1714521600,1', 'bad-quote', /after a closing quote/],
  ])('names the line and the reason: %s', async (bad, code, message) => {
    const { visits, problems } = await readText(
      log('url,at,changed', 'u,1714521600,1', bad, 'u,1714521600,1'),
    )
    expect(problems.first).toEqual([{ line: 3, code, message: expect.stringMatching(message) }])
    expect(visits.map((visit) => visit.line)).toEqual([2, 4])
  })

  it('stops at the first bad line when strict', async () => {
    const text = log('url,at,changed', 'u,1714521600,1', 'u,soon,1', 'u,late,1')
    await expect(readText(text, { strict: true })).rejects.toMatchObject({
      code: 'bad-time',
      line: 3,
      message: expect.stringMatching(/^line 3: "soon"/),
    })
  })

  it('loses one line to a quote that is not closed', async () => {
    const { visits, problems } = await readText(
      log('url,at,changed', '"u,1714521600,1', 'v,1714521600,1', 'w,1714521600,1'),
    )
    expect(problems.first).toMatchObject([{ line: 2, code: 'unclosed-quote' }])
    expect(visits.map(({ line, url }) => [line, url])).toEqual([
      [3, 'v'],
      [4, 'w'],
    ])
  })

  it.each([1 << 16, 1 << 20, 3 << 20])(
    'takes a line over 1 MB for malformed, in pieces of %s',
    async (pieceLength) => {
      const long = `${'x'.repeat((1 << 20) - 12)},1714521600,1`
      const { visits, problems } = await readText(
        log('url,at,changed', long, `y${long}`, 'v,1714521600,1', `${'z'.repeat(3 << 20)}`),
        { pieceLength },
      )
      // By hand: the first is 1 MiB + 1 byte with its 13 bytes of other fields, one too many.
      expect(problems.first.map(({ line, code }) => [line, code])).toEqual([
        [2, 'line-too-long'],
        [3, 'line-too-long'],
        [5, 'line-too-long'],
      ])
      expect(visits.map((visit) => visit.url)).toEqual(['v'])
    },
  )

  it.each([
    ['at,changed\nx,1\n', 'missing-column', /lacks url/],
    ['url,at\nx,1\n', 'missing-column', /changed \(or digest\)/],
    ['url,at,changed,at\nx,1\n', 'double-column', /twice/],
    ['hello there\n', 'unknown-format', /--format csv/],
    ['[{"url":1}]\n', 'json-array', /one object a line/],
  ])('refuses %j altogether', async (text, code, message) => {
    await expect(readText(text)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it('finds nothing in nothing', async () => {
    for (const text of ['', '\n\n', 'url,at,changed\n']) {
      const { visits, problems } = await readText(text)
      expect(visits).toEqual([])
      expect(problems.total).toBe(0)
    }
  })

  it('counts by reason beyond the twenty kept in full', async () => {
    const bad = Array.from({ length: 50 }, (_, i) => (i % 2 ? 'u,soon,1' : 'u,1714521600,maybe'))
    const { problems } = await readText(log('url,at,changed', ...bad))
    expect(problems.first).toHaveLength(20)
    expect([...problems.counts]).toEqual([
      ['bad-outcome', 25],
      ['bad-time', 25],
    ])
    expect(problems.total).toBe(50)
  })
})
