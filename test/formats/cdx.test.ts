import { describe, expect, it } from 'vitest'
import { readText } from '../fixtures/read-text.js'

const key = 'org,example)/'
const cdx = (at: string, status: string, digest: string) =>
  `${key} ${at} http://example.org:80/ text/html ${status} ${digest} - - 1043 333 a.warc.gz`

describe('CDX', () => {
  const lines = [
    cdx('20240501000000', '200', 'AAA'),
    cdx('20240502000000', '304', 'EMPTYBODY'),
    cdx('20240503000000', '-', 'AAA'),
    cdx('20240504000000', '503', 'BBB'),
    cdx('20240505000000', '302', 'CCC'),
    cdx('20240506000000', '200', '-'),
    cdx('20240507000000', '206', 'DDD'),
  ]
  const outcomes = [
    'by-digest',
    'unchanged',
    'by-digest',
    'failed',
    'failed',
    'failed',
    'by-digest',
  ]

  it.each([
    ['with a header', [' CDX N b a m s k r M S V g', ...lines]],
    ['without a header', lines],
  ])('reads captures %s', async (_, log) => {
    const { visits, report } = await readText(log.join('\n'))
    expect(report).toEqual({ format: 'cdx', time: 'cdx', timeGiven: true })
    expect(visits.map((visit) => visit.outcome)).toEqual(outcomes)
    // By hand: 2024-05-01T00:00:00Z is 19,844 days after 1970.
    expect(visits[0]).toMatchObject({ key, url: 'http://example.org:80/', at: 19844 * 86400 })
  })

  it('takes the fields in the order of the header', async () => {
    const { visits } = await readText(' CDX b k s a\n20240501000000 AAA 200 http://e.org/\n')
    expect(visits).toMatchObject([
      { line: 2, url: 'http://e.org/', key: 'http://e.org/', outcome: 'by-digest', digest: 'AAA' },
    ])
  })

  it.each([
    ['org,example)/ 20240501000000 http://e.org/', 'missing-field'],
    [cdx('20240231000000', '200', 'A'), 'bad-time'],
    [cdx('2024', '200', 'A'), 'bad-time'],
  ])('names the line and the reason: %s', async (bad, code) => {
    const { problems } = await readText([lines[0], bad].join('\n'))
    expect(problems.first).toMatchObject([{ line: 2, code }])
  })
})

describe('CDXJ', () => {
  const cdxj = (at: string, rest: object) => `${key} ${at} ${JSON.stringify(rest)}`

  it('reads captures, and passes over the lines about the file', async () => {
    const { visits, problems, report } = await readText(
      [
        '!OpenWayback-CDXJ 1.0',
        cdxj('20240501000000', { url: 'http://e.org/', status: '200', digest: 'A' }),
        cdxj('20240502000000', { url: 'http://e.org/', status: 404, digest: 'B' }),
        cdxj('20240503000000', { url: 'http://e.org/', digest: 'sha1:C' }),
        cdxj('20240504000000', { url: 'http://e.org/', status: '304', digest: 'D' }),
      ].join('\r\n'),
    )
    expect(report.format).toBe('cdxj')
    expect(problems.total).toBe(0)
    expect(visits.map(({ line, outcome, digest }) => [line, outcome, digest])).toEqual([
      [2, 'by-digest', 'A'],
      [3, 'failed', ''],
      [4, 'by-digest', 'sha1:C'],
      [5, 'unchanged', ''],
    ])
    expect(visits[0]).toMatchObject({ key, url: 'http://e.org/', at: 19844 * 86400 })
  })

  it.each([
    ['org,example)/ 20240501000000', 'bad-cdxj'],
    ['org,example)/ 20240501000000 {"url": ', 'bad-json'],
    [cdxj('20249901000000', { digest: 'A' }), 'bad-time'],
  ])('names the line and the reason: %s', async (bad, code) => {
    const { problems } = await readText([cdxj('20240501000000', { digest: 'A' }), bad].join('\n'))
    expect(problems.first).toMatchObject([{ line: 2, code }])
  })
})
