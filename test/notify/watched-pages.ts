import type { Outcome } from '../../src/model/history.js'
import type { Store } from '../../src/model/store.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'

export const collection = 'default'
export const start = 1_700_000_000

export interface Seen {
  readonly at: number
  readonly outcome: Outcome
  readonly text?: string
  readonly title?: string
  readonly gap?: number
}

/** A store whose pages are visited by hand. */
export class WatchedPages {
  readonly store: Store

  constructor(store: Store = openMemoryStore()) {
    this.store = store
  }

  async add(...urls: (string | { url: string; group: string })[]): Promise<void> {
    const pages = urls.map((each) => (typeof each === 'string' ? { url: each } : each))
    await this.store.addPages({ collection, pages, now: start })
  }

  /** Records a visit of a page, with the content it saw. */
  async visit(url: string, { at, outcome, text, title, gap }: Seen): Promise<void> {
    const [lease] = await this.store.leasePages({
      pages: [{ collection, url }],
      now: at,
      ttl: 60,
      worker: 'test',
    })
    const html = `<!doctype html><title>${title ?? 'A page'}</title><body><p>${text}</p>`
    const body = new TextEncoder().encode(html)
    const [fate] = await this.store.recordVisits([
      {
        lease: lease!,
        visit: aVisit({
          at,
          outcome,
          status: outcome === 'gone' ? 404 : 200,
          gap: gap ?? null,
          fingerprint: text === undefined ? null : `print of ${text}`,
        }),
        due: { at: at + 60, reason: 'a test' },
        ...(text === undefined ? {} : { content: { body, mediaType: 'text/html; charset=utf-8' } }),
      },
    ])
    if (fate !== 'recorded') throw new Error(`the visit was not recorded: ${fate}`)
  }
}
