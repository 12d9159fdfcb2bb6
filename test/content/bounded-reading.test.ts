import { describe, expect, it, onTestFinished } from 'vitest'
import { BoundedReading, type BoundedReadingOptions } from '../../dist/visit/index.js'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Json } from '../../src/model/units.js'
import { smallPdf } from '../fixtures/small-pdf.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

type Content = FetchAnswer & { kind: 'content' }

function answer(body: string | Uint8Array, type = 'text/html'): Content {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const headers = { 'content-type': type }
  const url = 'http://a.test/'
  return { kind: 'content', status: 200, at: 1e9, url, headers, bytesReceived: 1, body: bytes }
}

function pageWith(reading: Json = null, noise: Json = null): PageRecord {
  const settings = reading === null ? {} : { reading }
  return { url: 'http://a.test/', settings, noise, visits: 0 } as unknown as PageRecord
}

function open(options: BoundedReadingOptions = {}): BoundedReading {
  const reading = new BoundedReading(options)
  onTestFinished(() => reading.close())
  return reading
}

/** Counts how often this thread had a turn while something was waited for. */
async function turnsDuring(work: Promise<unknown> | undefined): Promise<number> {
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  await work
  clearInterval(timer)
  return turns
}

async function read({ reader }: BoundedReading, content: Content, page = pageWith()) {
  await reader.ahead?.(content, page)
  return reader.read(content, page)
}

/** Forms within forms, ten uses of the next in each: 10 to the 9th texts from 2 KB. */
function nestedForms(): Uint8Array {
  const depth = 9
  const form = (n: number) => {
    const last = n === depth
    const stream = last ? 'BT /F1 12 Tf (x) Tj ET' : '/X Do '.repeat(10)
    const uses = last ? '/Font << /F1 3 0 R >>' : `/XObject << /X ${11 + n} 0 R >>`
    return `${10 + n} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${uses} >> /Length ${stream.length} >> stream\n${stream}\nendstream endobj\n`
  }
  const page = '/X Do'
  const objects = [
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n',
    '2 0 obj << /Type /Pages /Kids [4 0 R] /Count 1 >> endobj\n',
    '3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n',
    '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << /XObject << /X 10 0 R >> >> >> endobj\n',
    `5 0 obj << /Length ${page.length} >> stream\n${page}\nendstream endobj\n`,
    ...Array.from({ length: depth + 1 }, (_, n) => form(n)),
  ]
  return new TextEncoder().encode(
    `%PDF-1.4\n${objects.join('')}trailer << /Root 1 0 R /Size 30 >>\n%%EOF`,
  )
}

describe('reading within limits', () => {
  it('gives up a small PDF of nested forms, and this thread goes on meanwhile', async () => {
    const reading = open({ pdfTime: 1 })
    const bomb = answer(nestedForms(), 'application/pdf')
    expect(bomb.body.length).toBeLessThan(4000)
    const turns = await turnsDuring(reading.reader.ahead?.(bomb, pageWith()))
    expect(turns).toBeGreaterThan(20)
    expect(reading.reader.read(bomb, pageWith())).toEqual({
      fault: 'unreadable',
      message: 'reading it took longer than 1 s',
    })
    const text = await read(reading, answer(smallPdf('Hello', 1), 'application/pdf'))
    expect(text).toHaveProperty('fingerprint')
  })

  it('reads a PDF by its text', async () => {
    const reading = open()
    const marks = await Promise.all(
      [smallPdf('One', 1), smallPdf('One', 2), smallPdf('Two', 1)].map((body) =>
        read(reading, answer(body, 'application/pdf')),
      ),
    )
    const prints = marks.map((each) => ('fingerprint' in each ? each.fingerprint : each.fault))
    expect(prints[0]).toBe(prints[1])
    expect(prints[0]).not.toBe(prints[2])
  })

  it.each([
    ['main div div div span', `${'<div>'.repeat(500)}${'<span>x</span>'.repeat(100)}`],
    ['p:nth-child(2n)', '<p>x</p>'.repeat(100_000)],
  ])('gives up the selector %s on a page made against it', async (select, html) => {
    const reading = open()
    const page = pageWith({ select: [select] })
    const began = performance.now()
    const content = answer(html)
    const turns = await turnsDuring(reading.reader.ahead?.(content, page))
    expect(performance.now() - began).toBeLessThan(5000)
    expect(turns).toBeGreaterThan(2)
    expect(reading.reader.read(content, page)).toEqual({ fault: 'rule-too-slow' })
  })

  it('takes paths with many ".." in no time, and leaves out what they name', async () => {
    const reading = open()
    const deep = `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`
    const began = performance.now()
    const json = 'application/json'
    const slow = await read(
      reading,
      answer(deep, json),
      pageWith({ ignorePaths: ['$..a..a..a..zz'] }),
    )
    expect(slow).toHaveProperty('fingerprint')
    expect(performance.now() - began).toBeLessThan(3000)
    const page = pageWith({ ignorePaths: ['$..x..id'] })
    const one = await read(reading, answer('{"x":{"y":{"id":1}},"id":5}', json), page)
    const two = await read(reading, answer('{"x":{"y":{"id":2}},"id":5}', json), page)
    const three = await read(reading, answer('{"x":{"y":{"id":2}},"id":6}', json), page)
    expect(one).toEqual({ ...two, digest: expect.any(String) })
    expect(three).not.toMatchObject({ fingerprint: (one as { fingerprint: string }).fingerprint })
  })

  it('gives up what takes too much memory', async () => {
    const reading = open({ memory: 24, time: 30 })
    const words = Array.from({ length: 400_000 }, (_, n) => `w${n}`).join(' ')
    const samples = [answer(words, 'text/plain'), answer(`${words} x`, 'text/plain')]
    await expect(reading.learnedNoise({ samples, old: null }, pageWith())).rejects.toMatchObject({
      code: 'unreadable',
      message: 'reading it took more than 24 MiB of memory',
    })
    expect(await read(reading, answer('x'.repeat(200_000)))).toHaveProperty('fingerprint')
  })

  it('reads a page of combining marks in no time', async () => {
    const reading = open()
    const began = performance.now()
    const marks = await read(reading, answer(`<p>a${'\u0301\u0323'.repeat(30_000)}`))
    expect(marks).toHaveProperty('fingerprint')
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('reads large pages, their hints and their links as small ones are read', async () => {
    const reading = open()
    const filler = `<p>${'word '.repeat(40_000)}</p>`
    const html = `<meta name="change-frequency" content="daily"><a href="/b">b</a>${filler}`
    const page = {
      ...pageWith(),
      settings: { discover: { depth: 1, include: [], exclude: [] } },
    } as unknown as PageRecord
    const large = answer(html)
    const about = { page, host: undefined }
    expect(reading.publisher.ahead?.(answer(html.slice(0, 1000)), about)).toBeUndefined()
    await reading.publisher.ahead?.(large, about)
    const inPlace = open().publisher
    expect(reading.publisher.hints(large)).toEqual(inPlace.hints(answer(html)))
    expect(reading.publisher.found(large, about)).toEqual(inPlace.found(answer(html), about))
    expect(reading.publisher.found(large, about).length).toBeGreaterThan(0)
    const { reader } = open()
    expect(await read(reading, large)).toMatchObject(reader.read(answer(html), pageWith()))
  })
})
