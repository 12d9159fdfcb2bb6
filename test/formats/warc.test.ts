import { createReadStream } from 'node:fs'
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { Problems } from '../../src/formats/problems.js'
import { readWarc } from '../../src/formats/read-warc.js'
import { GatheredVisits } from '../../src/formats/visit-log/gathered-visits.js'
import { readVisits } from '../../src/formats/visit-log/read-visits.js'
import { type Capture, payloadDigest, writeWarc } from '../../src/formats/write-warc.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

const body = new TextEncoder().encode('<p>héllo</p>\r\n\r\nWARC/1.1\r\n')
const first: Capture = {
  url: 'https://a.test/x?y=1',
  at: 1_700_000_000,
  status: 200,
  headers: { 'content-type': 'text/html', 'content-encoding': 'gzip', etag: '"1"' },
  body,
}
const of = { url: first.url, at: first.at, digest: payloadDigest(body) }
const captures: Capture[] = [
  first,
  {
    ...first,
    at: 1_700_000_100,
    status: 304,
    headers: { etag: '"1"' },
    body: null,
    revisit: { of, because: 'not-modified' },
  },
  { ...first, at: 1_700_000_200, body: null, revisit: { of, because: 'same-content' } },
  { ...first, url: 'https://a.test/empty', body: new Uint8Array(0) },
]

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const each of items) list.push(each)
  return list
}

const written = () => all(writeWarc(captures, { software: 'Revisit test', at: 1.7e9 }))

describe('WARC', () => {
  it('is read by warcio, revisit records included', async () => {
    const parser = new WARCParser(await written())
    const types: unknown[] = []
    for await (const record of parser) {
      const { warcType, warcTargetURI, warcRefersToDate } = record
      types.push([warcType, warcTargetURI, warcRefersToDate, (await record.readFully(true)).length])
    }
    expect(types).toEqual([
      // By hand: two lines of 24 and 30 bytes.
      ['warcinfo', null, null, 54],
      ['response', first.url, null, body.length],
      ['revisit', first.url, '2023-11-14T22:13:20Z', 0],
      ['revisit', first.url, '2023-11-14T22:13:20Z', 0],
      ['response', 'https://a.test/empty', null, 0],
    ])
  })

  it('is read back as it was written, but for the packing', async () => {
    const back = await all(readWarc(toChunks(await written())))
    expect(back.map(({ headers, digest, ...rest }) => rest)).toEqual(
      captures.map(({ headers, ...rest }) => rest),
    )
    expect(back[0]?.headers).toMatchObject({
      etag: '"1"',
      'x-archive-orig-content-encoding': 'gzip',
      'content-length': String(body.length),
    })
  })

  it('is the same bytes each time, one gzip member a record', async () => {
    const records = await written()
    expect(await written()).toEqual(records)
    for (const each of records)
      expect(gunzipSync(each).toString('latin1')).toMatch(/^WARC\/1\.1\r\n/)
  })

  it('is the same records unpacked, if asked, which warcio and we read', async () => {
    const plain = await all(
      writeWarc(captures, { software: 'Revisit test', at: 1.7e9, gzip: false }),
    )
    const packed = await written()
    expect(plain.map((each) => Buffer.from(each))).toEqual(packed.map((each) => gunzipSync(each)))
    const types: unknown[] = []
    for await (const record of new WARCParser(plain)) {
      types.push(record.warcType)
      await record.readFully(true)
    }
    expect(types).toEqual(['warcinfo', 'response', 'revisit', 'revisit', 'response'])
    expect(await all(readWarc(toChunks(plain.map((each) => new Uint8Array(each)))))).toEqual(
      await all(readWarc(toChunks(packed))),
    )
  })

  it('is a log of visits: digests compared, 304 and revisits taken for what they say', async () => {
    const another = { ...first, at: 1_700_000_300, body: new Uint8Array(1) }
    const lost = { ...first, at: 1_700_000_400, status: 500 }
    const back = {
      ...first,
      at: 1_700_000_500,
      body: null,
      revisit: { of, because: 'same-content' },
    } as const
    const records = await all(
      writeWarc([...captures, another, lost, back], { software: 's', at: 1.7e9 }),
    )
    const read = async (files: Uint8Array[]) => {
      const gathered = new GatheredVisits({ now: 1.8e9, address: (text) => text })
      const problems = new Problems()
      const report = await readVisits(toChunks(files), gathered.take, { now: 1.8e9, problems })
      const pages = [...gathered.pages()].map(({ url, visits }) => [
        url,
        visits.map((each) => each.outcome),
      ])
      return { format: report.format, pages: Object.fromEntries(pages), problems: problems.first }
    }
    expect(await read(records)).toEqual({
      format: 'warc',
      pages: {
        [first.url]: ['first', 'unchanged', 'unchanged', 'changed', 'failed', 'changed'],
        'https://a.test/empty': ['first'],
      },
      problems: [],
    })
    const whole = Buffer.concat(records.map((each) => gunzipSync(each)))
    const { pages, problems } = await read([whole.subarray(0, -20)])
    expect(pages[first.url]).toEqual(['first', 'unchanged', 'unchanged', 'changed', 'failed'])
    expect(problems).toMatchObject([{ line: 7, code: 'cut-short' }])
  })

  // Python: base64.b32encode(hashlib.sha1(b'').digest())
  it('names contents by SHA-1 in base 32', () => {
    expect(payloadDigest(new Uint8Array(0))).toBe('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  })

  it('lets no header break out of its line', async () => {
    const [back] = await all(
      readWarc(
        toChunks(
          await all(
            writeWarc([{ ...first, headers: { a: 'x\r\nWARC-Type: response' } }], {
              software: 's',
              at: 0,
            }),
          ),
        ),
      ),
    )
    expect(back?.headers.a).toBe('x WARC-Type: response')
  })

  // By hand, after the ARC 1.0 format: no such file has a record that we read.
  it('is not ARC, and says so instead of giving nothing or never ending', async () => {
    const http = 'HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n<p>hello</p>\n'
    const about = '1 0 Org\nURL IP-address Archive-date Content-type Archive-length\n'
    for (const url of ['http://a.test/', 'http://a.test/a b']) {
      const text = `filedesc://a.arc 0.0.0.0 20200101000000 text/plain ${about.length}\n${about}\n${url} 127.0.0.1 20200101000000 text/html ${http.length}\n${http}\n`
      for (const file of [Buffer.from(text), gzipSync(text)]) {
        await expect(all(readWarc(toChunks([file])))).rejects.toThrow('this is an ARC file')
        const bits = Array.from(file, (each) => Uint8Array.of(each))
        await expect(all(readWarc(toChunks(bits)))).rejects.toThrow('this is an ARC file')
      }
    }
    await expect(all(readWarc(toChunks([Buffer.from('hello')])))).rejects.toThrow('no WARC file')
    expect(await all(readWarc(toChunks([])))).toEqual([])
  })

  it('gives what is whole and then says so where the file is cut, wherever', async () => {
    const plain = writeWarc(captures, { software: 's', at: 1.7e9, gzip: false })
    const records = (await all(plain)).map((each) => Buffer.from(each))
    const whole = Buffer.concat(records)
    const ends = records.map((_, i) => Buffer.concat(records.slice(0, i + 1)).length)
    for (let end = 1; end < whole.length; end += 1) {
      const got: Capture[] = []
      let fault = ''
      try {
        for await (const each of readWarc(toChunks([whole.subarray(0, end)]))) got.push(each)
      } catch (error) {
        fault = (error as { code: string }).code
      }
      // The first record is none of an answer; the blank lines at the end of one are no loss.
      const complete = ends.filter((each) => each - 4 <= end).length
      expect(got.length, `cut at ${end}`).toBe(Math.max(0, complete - 1))
      const between = ends.some((each) => each - 4 <= end && end <= each)
      expect(fault === '', `cut at ${end}`).toBe(between)
      for (const [i, each] of got.entries()) expect(each.body).toEqual(captures[i]!.body)
    }
    const long = 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 100\r\n\r\nshort'
    await expect(all(readWarc(toChunks([Buffer.from(long)])))).rejects.toThrow('it was cut short')
  })

  it('reads answers that are chunked and packed, or have no headers', async () => {
    const chunked = (bytes: Buffer) =>
      Buffer.concat([
        Buffer.from(`${bytes.length.toString(16)};x=1\r\n`),
        bytes,
        Buffer.from('\r\n0\r\n\r\n'),
      ])
    const answer = (head: string, sent: Buffer) =>
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), sent])
    const text = Buffer.from('hello '.repeat(100))
    const blocks = [
      answer('', text),
      answer('Transfer-Encoding: chunked\r\n', chunked(text)),
      answer('Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n', chunked(gzipSync(text))),
      answer('Content-Encoding: br\r\n', brotliCompressSync(text)),
      answer('Content-Encoding: deflate\r\n', deflateSync(text)),
      answer('Content-Encoding: deflate\r\n', deflateRawSync(text)),
      // Kept unpacked, with the headers as they came.
      answer('Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n', text),
    ]
    const head = (length: number) =>
      `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.test/a b>\r\nWARC-Date: 2023-11-14T22:13:20Z\r\nContent-Length: ${length}\r\n\r\n`
    const file = Buffer.concat(
      blocks.flatMap((each) => [Buffer.from(head(each.length)), each, Buffer.from('\r\n\r\n')]),
    )
    const back = await all(readWarc(toChunks(Array.from(file, (each) => Uint8Array.of(each)))))
    expect(back).toHaveLength(blocks.length)
    for (const each of back) {
      expect(each).toMatchObject({ url: 'http://a.test/a b', at: 1_700_000_000, status: 200 })
      expect(Buffer.from(each.body!).toString()).toBe(text.toString())
    }
    // Larger than is wanted: passed over, and the rest is read.
    expect(await all(readWarc(toChunks([file]), { largestBody: 500 }))).toHaveLength(4)
  })

  it('says where a record has another length than it says', async () => {
    const text = 'WARC/1.0\r\nContent-Length: 2\r\n\r\nabcdef\r\n\r\n'
    await expect(all(readWarc(toChunks([Buffer.from(text)])))).rejects.toThrow('another length')
    const none = 'WARC/1.0\r\nContent-Length: -2\r\n\r\n'
    await expect(all(readWarc(toChunks([Buffer.from(none)])))).rejects.toThrow('its length is "-2"')
  })

  const path = sharedPath('suites/warc/example.warc.gz')
  it.skipIf(path === undefined)(`of others is read (${absent})`, async () => {
    const back = await all(readWarc(createReadStream(path!)))
    expect(back.length).toBeGreaterThan(0)
    for (const each of back) expect(each.url).toMatch(/^https?:/)
    const agnostic = sharedPath('suites/warc/example-url-agnostic-revisit.warc.gz')!
    const [revisit] = await all(readWarc(createReadStream(agnostic)))
    expect(revisit).toMatchObject({ body: null, revisit: { because: 'same-content' } })
    expect(revisit?.revisit?.of.url).not.toBe(revisit?.url)
  })
})

async function* toChunks(parts: Uint8Array[]) {
  yield* parts
}
