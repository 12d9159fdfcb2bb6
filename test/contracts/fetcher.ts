import { describe, expect, it, onTestFinished } from 'vitest'
import type { FetchAnswer, Fetcher, FetchRequest } from '../../src/model/fetcher.js'

export interface FetcherUnderTest {
  readonly fetcher: Fetcher
  /** Where `sampleWeb` is served to this fetcher. */
  readonly base: string
  /** An address at which nobody answers. */
  readonly dead: string
}

/** Everything every fetcher owes its caller. */
export function describeFetcher(name: string, open: () => Promise<FetcherUnderTest>): void {
  const ready = async () => {
    const opened = await open()
    onTestFinished(() => opened.fetcher.close())
    const get = (path: string, more: Partial<FetchRequest> = {}): Promise<FetchAnswer> =>
      opened.fetcher.fetch({ url: opened.base + path, ...more })
    return { ...opened, get }
  }

  describe(`${name}, as a fetcher`, () => {
    it('gives the content, with headers in lower case', async () => {
      const { get, base } = await ready()
      const answer = await get('/page')
      expect(answer).toMatchObject({ kind: 'content', status: 200, url: `${base}/page` })
      if (answer.kind !== 'content') return
      expect(new TextDecoder().decode(answer.body)).toBe('<p>hello</p>')
      expect(answer.headers).toMatchObject({ etag: '"v1"' })
      expect(answer.bytesReceived).toBe(12)
      expect(answer.movedTo).toBeUndefined()
    })

    it('sends validators back, by default', async () => {
      const { get } = await ready()
      const validators = { etag: '"v1"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' }
      expect(await get('/page', { validators })).toMatchObject({
        kind: 'not-modified',
        status: 304,
      })
      expect(await get('/page', { validators, unconditional: true })).toMatchObject({
        kind: 'content',
      })
    })

    it.each([
      [404, 'gone'],
      [410, 'gone'],
      [401, 'refused'],
      [403, 'refused'],
      [451, 'refused'],
      [429, 'later'],
      [500, 'later'],
      [503, 'later'],
    ] as const)('takes %i as %s', async (status, kind) => {
      const { get } = await ready()
      expect(await get(`/status/${status}`)).toMatchObject({ kind, status })
    })

    it('hears when to come back', async () => {
      const { get } = await ready()
      expect(await get('/busy')).toMatchObject({ kind: 'later', retryAfter: 120 })
      expect(await get('/status/503')).toMatchObject({ kind: 'later', retryAfter: null })
    })

    it('follows redirects and remembers the permanent ones', async () => {
      const { get, base } = await ready()
      const url = `${base}/page`
      expect(await get('/moved')).toMatchObject({ kind: 'content', url, movedTo: url })
      const temporary = await get('/elsewhere')
      expect(temporary).toMatchObject({ kind: 'content', url })
      expect(temporary).not.toHaveProperty('movedTo')
    })

    it('asks before it follows a redirect', async () => {
      const { fetcher, base } = await ready()
      const asked: string[] = []
      const mayFollow = (url: string) => {
        asked.push(url)
        return false
      }
      const answer = await fetcher.fetch({ url: `${base}/moved` }, { mayFollow })
      expect(answer).toMatchObject({ kind: 'failed', fault: 'redirect-refused' })
      expect(asked).toEqual([`${base}/page`])
    })

    it('keeps the limit on size, or cuts there', async () => {
      const { fetcher, base } = await ready()
      const url = `${base}/large`
      const failed = await fetcher.fetch({ url }, { maxBytes: 4999 })
      expect(failed).toMatchObject({ kind: 'failed', fault: 'too-large' })
      const cut = await fetcher.fetch({ url }, { maxBytes: 100, whenLarger: 'cut' })
      expect(cut.kind === 'content' && cut.body.length).toBe(100)
      const exact = await fetcher.fetch({ url }, { maxBytes: 5000 })
      expect(exact.kind).toBe('content')
    })

    it('fails, and never throws, where there is no answer', async () => {
      const { fetcher, get, dead } = await ready()
      const answer = await fetcher.fetch({ url: dead })
      expect(answer.kind).toBe('failed')
      expect(await get('/loop')).toMatchObject({ kind: 'failed', fault: 'redirect-loop' })
    })

    it('ends at once when called off', async () => {
      const { fetcher, base } = await ready()
      const answer = await fetcher.fetch({ url: `${base}/page` }, { signal: AbortSignal.abort() })
      expect(answer).toMatchObject({ kind: 'failed', fault: 'aborted' })
    })
  })
}
