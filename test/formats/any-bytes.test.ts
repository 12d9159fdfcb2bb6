import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForwardHistories } from '../../src/formats/histories/page-histories.js'
import { Problems } from '../../src/formats/problems.js'
import { readVisits, visitFormats } from '../../src/formats/visit-log/read-visits.js'
import { InputError } from '../../src/model/errors.js'
import { pieces, readText, testNow } from '../fixtures/read-text.js'

const csv = [
  'url,at,changed,last_modified',
  '"https://e.org/ä,""1""",2024-05-01T12:00:00Z,true,',
  'https://e.org/日本語/😀,2024-05-01T12:00:00+02:00,0,"Sun, 06 Nov 1994 08:49:37 GMT"',
  'https://e.org/,yesterday,0,',
  '',
  '"https://e.org/\nb",2024-05-02T12:00:00Z,gone,2024-05-01T00:00:00Z',
].join('\r\n')
const jsonl =
  '{"url":"日本","at":1714521600,"changed":true}\n{"url":"ä","at":1714521601,"digest":"é"}'
const cdx = 'k 20240501000000 http://é/ text/html 200 AAA -\nk 20240502000000 u t 200 BBB -\n'
const cdxj = 'k 20240501000000 {"url":"http://é/","status":"200","digest":"A"}\n! x\nk 1 {}'

describe('the cuts between chunks', () => {
  it.each([
    ['csv', csv],
    ['jsonl', jsonl],
    ['cdx', cdx],
    ['cdxj', cdxj],
  ])('change nothing: %s', async (format, text) => {
    const whole = await readText(text)
    expect(whole.report.format).toBe(format)
    expect(whole.visits.length).toBeGreaterThan(0)
    for (const pieceLength of [1, 2, 3, 5, 7, 64]) {
      const cut = await readText(text, { pieceLength })
      expect(cut.visits).toEqual(whole.visits)
      expect(cut.problems.first).toEqual(whole.problems.first)
    }
  })
})

describe('gzip', () => {
  it('is known by its first bytes, wherever it is cut, and may have several members', async () => {
    const whole = await readText(csv)
    for (const pieceLength of [1, 10, 1000]) {
      const packed = await readText(gzipSync(csv), { pieceLength })
      expect(packed.visits).toEqual(whole.visits)
    }
    const half = csv.indexOf('yesterday')
    const two = Buffer.concat([gzipSync(csv.slice(0, half)), gzipSync(csv.slice(half))])
    expect((await readText(two)).visits).toEqual(whole.visits)
  })

  it('that is cut short is a problem of its last line, and what came before counts', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `https://e.org/${i * 7919},1714521600,1`)
    const packed = gzipSync(['url,at,changed', ...lines].join('\n'))
    const { visits, problems } = await readText(packed.subarray(0, packed.length / 2))
    expect(visits.length).toBeGreaterThan(100)
    expect(problems.first).toMatchObject([{ line: visits.length + 2, code: 'cut-short' }])
    await expect(
      readText(packed.subarray(0, packed.length / 2), { strict: true }),
    ).rejects.toMatchObject({ code: 'cut-short' })
  })

  it('that is damaged is told apart', async () => {
    const packed = gzipSync(csv)
    packed.fill(0xff, 12, 30)
    const { problems } = await readText(packed, { format: 'csv' })
    expect(problems.first).toMatchObject([{ code: 'damaged' }])
  })
})

describe('any bytes', () => {
  const fragment = fc.constantFrom(
    ...[csv, jsonl, cdx, cdxj].flatMap((text) => text.split(/(?<=[\n," ])/)),
    'url,at,changed\n',
    ' CDX N b a m s k\n',
    '"',
    '""',
    '\n',
    ',',
    '1e999',
    '-0',
    '\u0000',
    '\ufeff',
    '{}',
  )
  const soup = fc.oneof(
    fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    fc
      .array(fragment, { maxLength: 30 })
      .map((parts) => Buffer.from(`url,at,changed\n${parts.join('')}`)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  )
  const formats = fc.constantFrom(undefined, ...visitFormats.filter((each) => each !== 'parquet'))

  it('end as records with finite numbers, as named problems, or as one named error', async () => {
    await fc.assert(
      fc.asyncProperty(
        soup,
        formats,
        fc.integer({ min: 1, max: 50 }),
        async (bytes, format, length) => {
          const read = await readText(bytes, { format, pieceLength: length }).catch(
            (error) => error,
          )
          if (read instanceof Error) {
            expect(read).toBeInstanceOf(InputError)
            return
          }
          for (const visit of read.visits) {
            expect(Number.isFinite(visit.at)).toBe(true)
            expect(visit.url).not.toBe('')
            if (visit.lastModified !== undefined)
              expect(Number.isFinite(visit.lastModified)).toBe(true)
          }
          for (const problem of read.problems.first) {
            expect(problem.line).toBeGreaterThan(0)
            expect(problem.message).not.toMatch(/undefined|NaN|\p{Cc}/u)
          }
        },
      ),
      { seed: 6, numRuns: 400 },
    )
  })

  it('give the same however they are cut', async () => {
    const outcome = (bytes: Uint8Array, pieceLength: number) =>
      readText(bytes, { format: 'csv', pieceLength }).then(
        ({ visits, problems }) => ({ visits, problems: problems.first }),
        (error: InputError) => error.message,
      )
    await fc.assert(
      fc.asyncProperty(soup, fc.integer({ min: 1, max: 20 }), async (bytes, length) => {
        expect(await outcome(bytes, length)).toEqual(await outcome(bytes, 1 << 16))
      }),
      { seed: 7, numRuns: 200 },
    )
  })

  it('give histories with positive finite gaps only', async () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 0, max: 1_700_000_000 }),
    )
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b'), numbers, fc.boolean(), numbers))
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const text = ['url,at,changed,last_modified', ...list.map((row) => row.join(','))].join(
          '\n',
        )
        const histories = new ForwardHistories({ now: testNow })
        const problems = new Problems()
        await readVisits(pieces(text, 100), histories.take, {
          now: testNow,
          problems,
          time: 'seconds',
        })
        expect(histories.visits + problems.total).toBe(list.length)
        for (let page = 0; page < histories.pages; page++) {
          for (const { gap, contentAge } of histories.history(page)?.observations ?? []) {
            expect(gap > 0 && gap < Infinity).toBe(true)
            if (contentAge !== undefined)
              expect(contentAge >= 0 && contentAge < Infinity).toBe(true)
          }
        }
      }),
      { seed: 8, numRuns: 100 },
    )
  })
})
