import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pageReader, rememberingPageReader } from '../../src/content/page-reader.js'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import { LruMap } from '../../src/model/lru-map.js'
import type { Reading } from '../../src/model/reader.js'

type Content = FetchAnswer & { kind: 'content' }

function answer(html: string, headers: Record<string, string> = {}): Content {
  const body = Buffer.from(html)
  const reported = { 'content-type': 'text/html', ...headers }
  const url = 'http://a.test/'
  return { kind: 'content', status: 200, at: 1e9, url, headers: reported, bytesReceived: 1, body }
}

describe('rememberingPageReader', () => {
  it('reads as the one that remembers nothing, however often and in any order', () => {
    const reader = rememberingPageReader(new LruMap({ most: 2 }))
    const answers = [
      answer('<p>one</p>'),
      answer('<p>one</p><script>2</script>'),
      answer('<p>two</p>'),
      answer('<p>two</p>', { 'content-type': 'text/plain' }),
      answer('<p>two</p>', { 'last-modified': 'Sat, 08 Sep 2001 01:46:40 GMT' }),
      answer('<p>caf\u00e9</p>', { 'content-type': 'text/html; charset=windows-1252' }),
      answer('<p>caf\u00e9</p>'),
    ]
    for (const each of [...answers, ...answers.reverse(), ...answers])
      expect(reader.read(each, undefined as never)).toEqual({
        ...pageReader.read(each, undefined as never),
        digest: createHash('sha256').update(each.body).digest('hex'),
      })
  })

  it('tells the date of each answer, not of the one that had the same bytes', () => {
    const reader = rememberingPageReader()
    const read = (headers: Record<string, string>) =>
      (reader.read(answer('<p>one</p>', headers), undefined as never) as Reading).lastModified
    expect(read({})).toBeUndefined()
    // date -d '2001-09-08T01:46:40Z' +%s
    expect(read({ 'last-modified': 'Sat, 08 Sep 2001 01:46:40 GMT' })).toBe(999_913_600)
    expect(read({})).toBeUndefined()
  })
})
