import { expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

it('takes less than 1 KB for a visit that an honest validator answers, headers and both ways', async () => {
  const headers = { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
  const site = await crawledSite({ '/': { body: `<p>${'word '.repeat(20_000)}</p>`, headers } })
  await site.revisit(['watch', `${site.base}/`])
  await site.revisit(['run', '--once'])
  await site.makeDue()
  await site.revisit(['run', '--once'])
  const last = site.requests.at(-1)!
  expect(last.headers['if-none-match']).toBe('"1"')
  // robots.txt is remembered, so the connection was opened for this request alone.
  expect(site.requests.filter(({ socket }) => socket === last.socket)).toHaveLength(1)
  const bytes = last.socket.bytesRead + last.socket.bytesWritten
  expect(bytes).toBeGreaterThan(100)
  expect(bytes).toBeLessThan(1024)
})
