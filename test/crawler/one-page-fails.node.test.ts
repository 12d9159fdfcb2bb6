import { describe, expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import { EnvironmentError, PageError } from '../../src/model/errors.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import type { NoiseRecheck, PublisherReader, Reader } from '../../src/model/reader.js'
import { Random } from '../../src/numeric/random.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const start = 1_700_000_000
const collection = 'c'
const bad = 'http://bad.example/'
const urls = [bad, ...Array.from({ length: 20 }, (_, n) => `http://h${n}.example/`)]

type Content = FetchAnswer & { kind: 'content' }

const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

const silent: PublisherReader = { hints: () => [], found: () => [], unlisted: () => false }

function throwsAt(url: string, error: Error = new RangeError('Invalid string length')) {
  if (url === bad) throw error
}

function nothingAt(url: string): [] {
  throwsAt(url)
  return []
}

/** Visits all pages once with a loop of these parts; the pages as they are then. */
async function visitedBy(parts: {
  reader?: Reader
  noiseRecheck?: NoiseRecheck
  publisher?: PublisherReader
}) {
  const clock = new VirtualClock(start)
  const store = openMemoryStore()
  await store.addPages({ collection, pages: urls.map((url) => ({ url })), now: start })
  const web: WholeVisits = {
    async visit({ url }): Promise<PoliteVisit> {
      const body = new TextEncoder().encode(`content of ${url}`)
      const answer = { kind: 'content', status: 200, at: clock.now(), url, headers: {} } as const
      const host = { host: new URL(url).host, state: { asked: true }, blockedUntil: null }
      return {
        kind: 'answered',
        answer: { ...answer, bytesReceived: body.length, body },
        hosts: [host as never],
      }
    },
  }
  const plannerFor = () => ({ policy: fixed({ gap: 3600 }), learner: null })
  const random = new Random(1)
  const cycle = new Cycle(
    { store, clock, visitor: visitorOf(web), reader, random, plannerFor, ...parts },
    { collection, worker: 'test', concurrency: 4 },
  )
  clock.busy = () => cycle.underWay > 0
  await cycle.run({ once: true })
  const pages = await Promise.all(urls.map((url) => store.getPage({ collection, url })))
  return { pages: pages.map((page) => page!), host: await store.getHost('bad.example') }
}

describe('a page that cannot be read', () => {
  const failing: [string, Parameters<typeof visitedBy>[0]][] = [
    [
      'by the reader',
      {
        reader: {
          ...reader,
          read(answer: Content, page) {
            throwsAt(answer.url)
            return reader.read(answer, page)
          },
        },
      },
    ],
    [
      'by the reader ahead, which tells it',
      {
        reader: {
          ...reader,
          ahead: () => Promise.resolve(),
          read: (answer: Content, page) =>
            answer.url === bad
              ? { fault: 'unreadable', message: 'Invalid string length' }
              : reader.read(answer, page),
        },
      },
    ],
    [
      'by the noise re-check',
      {
        noiseRecheck: {
          wait: 1,
          isWanted: () => true,
          async recheck({ answer }) {
            throwsAt(answer.url, new PageError('unreadable', 'Invalid string length'))
            return null
          },
        },
      },
    ],
    ['for its hints', { publisher: { ...silent, hints: ({ url }) => nothingAt(url) } }],
    ['for its links', { publisher: { ...silent, found: ({ url }) => nothingAt(url) } }],
  ]

  it.each(failing)('%s fails alone, and says why', async (_, parts) => {
    const { pages, host } = await visitedBy(parts)
    const [first, ...others] = pages
    for (const page of others) expect(page.lastVisit).toMatchObject({ outcome: 'first' })
    expect(first!.lastVisit).toMatchObject({ outcome: 'failed' })
    expect(first!.failing).toBe(1)
    expect(first!.due.at).toBe(start + 600)
    expect(first!.due.reason).toContain('Invalid string length')
    // Its host was asked, and rests as after any visit.
    expect(host?.state).toEqual({ asked: true })
  })

  it('is told from a store that fails, which ends the loop', async () => {
    const noiseRecheck: NoiseRecheck = {
      wait: 1,
      isWanted: () => true,
      async recheck({ answer }) {
        throwsAt(answer.url, new EnvironmentError('store-stopped', 'the store has stopped'))
        return null
      },
    }
    await expect(visitedBy({ noiseRecheck })).rejects.toThrow('the store has stopped')
  })
})
