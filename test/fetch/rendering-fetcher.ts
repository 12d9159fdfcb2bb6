import { systemClock } from '../../src/crawler/system-clock.js'
import { PageRenderer, type PageRendererOptions } from '../../src/fetch/page-renderer.js'
import type { Fetcher } from '../../src/model/fetcher.js'

/** Fetches a page, and renders it where it asks for that, as a visit does. */
export function renderingFetcher(options: Omit<PageRendererOptions, 'clock'>): Fetcher {
  const { fetcher } = options
  const renderer = new PageRenderer({ clock: systemClock, ...options })
  return {
    async fetch(request, terms = {}) {
      if (request.rendered !== true) return fetcher.fetch(request, terms)
      const answer = await fetcher.fetch({ ...request, unconditional: true }, terms)
      return renderer.rendered(answer, request, terms)
    },
    async close() {
      await renderer.close()
      await fetcher.close()
    },
  }
}
