import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import { HttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http-fetcher.js'

/** A fetcher that may visit 127.0.0.1 and nothing else that is private. */
export function localFetcher(options: Partial<HttpFetcherOptions> = {}): HttpFetcher {
  const fetcher = new HttpFetcher({
    clock: systemClock,
    contact: 'https://revisit.test/about',
    version: '0.0.0',
    allowedNetworks: ['127.0.0.1'],
    ...options,
    limits: {
      connectTime: 5,
      firstByteTime: 5,
      wholeTime: 8,
      bodyBytes: 1 << 20,
      ...options.limits,
    },
  })
  onTestFinished(() => fetcher.close())
  return fetcher
}
