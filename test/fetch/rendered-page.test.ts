import { describe, expect, it } from 'vitest'
import { type BrowserKit, renderPage } from '../../src/fetch/page-renderer.js'
import type { FetchAnswer, FetchRequest } from '../../src/model/fetcher.js'

const content = (url: string) =>
  ({
    kind: 'content',
    status: 200,
    at: 0,
    url,
    headers: {},
    bytesReceived: 0,
    body: new Uint8Array(),
  }) as const satisfies FetchAnswer

/** A page whose script asks for data of two sites; which of them were sent its cookie. */
async function sentCookie(request: FetchRequest, renderedAt: string): Promise<string[]> {
  const sent: string[] = []
  const browser: BrowserKit = {
    async render({ serve }) {
      for (const site of ['https://a.example', 'https://b.example'])
        await serve({ url: `${site}/data`, method: 'GET', kind: 'xhr', isPage: false })
      return { html: '' }
    },
    onClosed() {},
    async close() {},
  }
  const fetcher = {
    async fetch({ url, headers }: FetchRequest) {
      if (headers?.cookie !== undefined) sent.push(new URL(url).host)
      return content(url)
    },
    async close() {},
  }
  const answer = content(renderedAt)
  await renderPage({ answer, request, options: {}, browser, fetcher, renderTime: 1 })
  return sent
}

describe('what the scripts of a page ask for', () => {
  const headers = { cookie: 'a=b' }

  it('is asked with the headers of the page at its own site alone', async () => {
    const url = 'https://a.example/p'
    expect(await sentCookie({ url, headers }, url)).toEqual(['a.example'])
    // Redirected to another site, or moved there for good.
    expect(await sentCookie({ url, headers }, 'https://b.example/x')).toEqual(['a.example'])
    const moved = { url: 'https://b.example/x', home: url, headers }
    expect(await sentCookie(moved, 'https://b.example/x')).toEqual(['a.example'])
  })
})
