import { expect, it } from 'vitest'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from '../visit/local-fetcher.js'

/** Sends so many bytes each tenth of a second, without end. */
function dripping(bytes: number): Promise<string> {
  return localServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('x'.repeat(bytes)), 100)
    response.on('close', () => clearInterval(timer))
  })
}

it('gives up a content that comes in drops, and not one that comes slowly', async () => {
  const limits = { firstByteTime: 1, wholeTime: 14, leastSpeed: 1000 }
  const fetcher = localFetcher({ limits })
  const began = performance.now()
  const [drops, slow] = await Promise.all(
    [20, 400].map(async (bytes) => ({
      answer: await fetcher.fetch({ url: await dripping(bytes) }),
      seconds: (performance.now() - began) / 1000,
    })),
  )
  expect(drops!.answer).toMatchObject({
    fault: 'timeout',
    message: 'the content came at less than 1000 bytes a second',
  })
  expect(drops!.seconds).toBeLessThan(12)
  expect(slow!.answer).toMatchObject({ message: 'the visit took longer than 14 s' })
})
