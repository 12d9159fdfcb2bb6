import { createReadStream } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { type Capture, payloadDigest, readWarc, writeWarc } from '../../../src/formats/index.js'
import { absent, sharedPath } from '../../fixtures/shared-folder.js'

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
    expect(back.map(({ headers, ...rest }) => rest)).toEqual(
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
