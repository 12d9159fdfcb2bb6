import { DrawingFetcher } from '../../crawl/index.js'
import type { Fetcher } from '../../model/index.js'
import type { Configured } from './configured.js'
import { LocalOnlyFetcher, localContact } from './local-only-fetcher.js'

/** What asks servers, within the limits of the configuration; without a contact, none but private ones. */
export function openFetcher({ config, crawler, world }: Configured): Fetcher {
  const { clock } = crawler
  const { connectTime, firstByteTime, wholeTime, leastSpeed } = config
  const { headerBytes, bodyBytes, redirects, retryAfter } = config
  const fetcher = crawler.openFetcher({
    clock,
    contact: config.contact ?? localContact,
    version: world.version,
    allowedNetworks: config.allowedNetworks,
    limits: {
      connectTime,
      firstByteTime,
      wholeTime,
      leastSpeed,
      headerBytes,
      bodyBytes,
      redirects,
      retryAfter,
    },
  })
  const reached = config.contact === null ? new LocalOnlyFetcher({ fetcher, clock }) : fetcher
  const sandbox = config.browserSandbox
  return new DrawingFetcher({ fetcher: reached, clock, drawnBytes: bodyBytes, sandbox })
}
