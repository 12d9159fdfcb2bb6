import { expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf } from '../fixtures/whole-visits.js'

const collection = 'c'
const start = 1_800_000_000

/** Three pages, of which those of one host wait until it no longer rests. */
async function restingHost(rests: number) {
  const clock = new VirtualClock(start)
  const store = await openMemoryStore()
  const pages = ['http://a.example/', 'http://b.example/1', 'http://b.example/2']
  await store.addPages({ collection, pages: pages.map((url) => ({ url })), now: start })
  await store.putHosts([{ host: 'b.example', blockedUntil: start + rests, state: null }])
  const visited: string[] = []
  const cycle = new Cycle(
    {
      store,
      visitor: visitorOf({
        async visit({ url }) {
          visited.push(url)
          const reported = { status: 200, at: clock.now(), url, headers: {}, bytesReceived: 1 }
          const answer = { ...reported, kind: 'content', body: new Uint8Array([1]) } as const
          return { kind: 'answered', answer, hosts: [] }
        },
      }),
      clock,
      reader: { read: () => ({ fingerprint: 'x' }), lastModified: () => undefined },
      random: new Random(1),
      plannerFor: () => ({ policy: malcolmArmitage(), learner: malcolmArmitageLearner }),
    },
    { collection, worker: 'w' },
  )
  return { cycle, clock, visited }
}

it('a run that waits for hosts that rest says until when, and goes on then', async () => {
  const { cycle, visited } = await restingHost(200)
  const until: number[] = []
  await cycle.run({ once: true, patience: 300, onRest: (at) => void until.push(at) })
  expect(new Set(until)).toEqual(new Set([start + 200]))
  expect(visited.length).toBe(3)
})

it('one that has not the patience says nothing, and ends', async () => {
  const { cycle, clock, visited } = await restingHost(400)
  const until: number[] = []
  await cycle.run({ once: true, patience: 300, onRest: (at) => void until.push(at) })
  expect(until).toEqual([])
  expect(visited).toEqual(['http://a.example/'])
  expect(clock.now()).toBeLessThan(start + 300)
})
