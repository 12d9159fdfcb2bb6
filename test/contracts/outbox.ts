import { beforeEach, describe, expect, it } from 'vitest'
import type { ChannelRecord, Outbox } from '../../src/model/outbox.js'
import type { Store } from '../../src/model/store.js'

const now = 1_700_000_000
const collection = 'news'

/** Everything every outbox owes its caller. */
export function describeOutbox(name: string, open: () => Promise<Store>): void {
  describe(`${name}, as an outbox`, () => {
    let outbox: Outbox
    let channel: ChannelRecord
    beforeEach(async () => {
      const store = await open()
      outbox = store.outbox
      channel = await add('first')
      return async () => {
        expect(await store.check()).toEqual([])
        await store.close()
      }
    })

    const add = (called: string, cursor = 0) =>
      outbox.addChannel({ collection, name: called, settings: { a: [1] }, now, cursor })
    /** Visits of these pages, one after another, become deliveries. */
    const plan = async (...pages: string[]) => {
      const from = (await outbox.channel(channel.id))!.cursor
      const deliveries = pages.map((page, i) => ({ page, event: { visit: from + i + 1 } }))
      const upTo = from + pages.length
      expect(await outbox.advance({ channel: channel.id, from, upTo, deliveries, now })).toBe(true)
    }
    const sendable = async (at = now) =>
      (await outbox.sendable({ channel: channel.id, now: at, limit: 100 })).map((each) => each.id)
    const fail = (
      id: string,
      more: { at?: number; nextAt?: number | null; restsUntil?: number | null } = {},
    ) =>
      outbox.noteFailed({
        channel: channel.id,
        deliveries: [id],
        now: more.at ?? now,
        error: 'no answer',
        nextAt: more.nextAt === undefined ? now + 60 : more.nextAt,
        restsUntil: more.restsUntil ?? null,
      })
    const deliver = (...deliveries: string[]) =>
      outbox.noteDelivered({ channel: channel.id, deliveries, now: now + 1 })

    it('keeps channels as they were given, by collection', async () => {
      expect(channel).toEqual({
        id: channel.id,
        collection,
        name: 'first',
        settings: { a: [1] },
        enabled: true,
        addedAt: now,
        cursor: 0,
        failingSince: null,
        failures: 0,
        restsUntil: null,
        error: null,
      })
      const second = await add('second', 7)
      expect(await outbox.channels(collection)).toEqual([channel, second])
      expect(await outbox.channels('other')).toEqual([])
      expect(await outbox.channel(second.id)).toMatchObject({ cursor: 7 })
      expect(await outbox.channel('99')).toBe(null)
    })

    it('refuses a name that is taken', async () => {
      await expect(add('first')).rejects.toMatchObject({ code: 'channel-exists' })
      const second = await add('second')
      await expect(outbox.changeChannel(second.id, { name: 'first' })).rejects.toMatchObject({
        code: 'channel-exists',
      })
      expect(await outbox.changeChannel(second.id, { name: 'second', enabled: false })).toEqual({
        ...second,
        enabled: false,
      })
      expect(await outbox.changeChannel('99', {})).toBe(null)
    })

    it('moves a cursor only from where it stands, and never gives a number again', async () => {
      await plan('1', '2')
      const again = { channel: channel.id, from: 0, upTo: 9, deliveries: [], now }
      expect(await outbox.advance(again)).toBe(false)
      expect((await outbox.channel(channel.id))?.cursor).toBe(2)
      const before = await outbox.deliveries({ collection, limit: 10 })
      expect(before.map((each) => each.event)).toEqual([{ visit: 2 }, { visit: 1 }])
      expect(await outbox.removeChannel(channel.id)).toBe(true)
      expect(await outbox.removeChannel(channel.id)).toBe(false)
      expect(await outbox.deliveries({ collection, limit: 10 })).toEqual([])
      const next = await add('first')
      expect(next.id).not.toBe(channel.id)
      channel = next
      await plan('1')
      const [only] = await outbox.deliveries({ collection, limit: 10 })
      expect(Number(only!.id)).toBeGreaterThan(Number(before[0]!.id))
    })

    it('gives the oldest of each page, and those tried least first', async () => {
      await plan('1', '1', '2', '3')
      const [a, b, c, d] = (await outbox.pending({ channel: channel.id, limit: 9 })).map(
        (each) => each.id,
      ) as [string, string, string, string]
      expect(await sendable()).toEqual([a, c, d])
      await fail(a)
      expect(await sendable()).toEqual([c, d])
      expect(await sendable(now + 60)).toEqual([c, d, a])
      await deliver(a, c)
      expect(await sendable(now + 60)).toEqual([b, d])
      expect(await outbox.countPending(channel.id)).toBe(2)
      expect(await outbox.pending({ channel: channel.id, limit: 1 })).toHaveLength(1)
    })

    it('remembers tries, and what became of each delivery', async () => {
      await plan('1')
      const [id] = (await sendable()) as [string]
      await fail(id, { at: now + 5 })
      await fail(id, { at: now + 65, nextAt: now + 200 })
      const [tried] = await outbox.deliveries({ collection, channel: channel.id, limit: 1 })
      expect(tried).toEqual({
        id,
        channel: channel.id,
        page: '1',
        event: { visit: 1 },
        madeAt: now,
        state: 'pending',
        attempts: 2,
        firstAt: now + 5,
        nextAt: now + 200,
        endedAt: null,
        error: 'no answer',
      })
      await fail(id, { at: now + 200, nextAt: null })
      const [ended] = await outbox.deliveries({ collection, state: 'given-up', limit: 1 })
      expect(ended).toMatchObject({ state: 'given-up', attempts: 3, endedAt: now + 200 })
      await deliver(id)
      expect(await outbox.deliveries({ collection, state: 'delivered', limit: 1 })).toEqual([])
    })

    it('rests a channel whose receiver fails, until it answers or is changed', async () => {
      await plan('1', '2')
      const [a, b] = (await sendable()) as [string, string]
      await fail(a, { restsUntil: now + 10 })
      await fail(b, { at: now + 10, restsUntil: now + 30 })
      const ill = { failingSince: now, failures: 2, restsUntil: now + 30, error: 'no answer' }
      expect(await outbox.channel(channel.id)).toMatchObject(ill)
      await deliver(a)
      const well = { failingSince: null, failures: 0, restsUntil: null, error: null }
      expect(await outbox.channel(channel.id)).toMatchObject(well)
      await fail(b, { restsUntil: now + 10 })
      expect(await outbox.changeChannel(channel.id, { settings: 1 })).toMatchObject(well)
    })

    it('gives up what is old, and forgets what ended long ago', async () => {
      await plan('1', '1')
      const old = { channel: channel.id, now: now + 9, error: 'dead' }
      expect(await outbox.giveUp({ ...old, madeBy: now - 1 })).toBe(0)
      expect(await outbox.giveUp({ ...old, madeBy: now })).toBe(2)
      expect(await outbox.countPending(channel.id)).toBe(0)
      const [ended] = await outbox.deliveries({ collection, limit: 1 })
      expect(ended).toMatchObject({ state: 'given-up', error: 'dead', endedAt: now + 9 })
      await plan('1')
      expect(await outbox.forgetEnded({ now: now + 100, after: 95 })).toBe(0)
      expect(await outbox.forgetEnded({ now: now + 100, after: 91 })).toBe(2)
      expect(await outbox.countPending(channel.id)).toBe(1)
    })

    it('lists deliveries in stretches, the newest first', async () => {
      await plan('1', '2', '3')
      const first = await outbox.deliveries({ collection, limit: 2 })
      expect(first.map((each) => each.page)).toEqual(['3', '2'])
      const rest = await outbox.deliveries({ collection, limit: 2, before: first[1]!.id })
      expect(rest.map((each) => each.page)).toEqual(['1'])
      expect(await outbox.deliveries({ collection: 'other', limit: 2 })).toEqual([])
    })

    it('lets one worker at a time hold a channel', async () => {
      const hold = (worker: string, at = now) =>
        outbox.holdChannel({ channel: channel.id, worker, now: at, until: at + 10 })
      expect(await hold('a')).toBe(true)
      expect(await hold('b')).toBe(false)
      expect(await hold('a', now + 5)).toBe(true)
      expect(await hold('b', now + 10)).toBe(false)
      expect(await hold('b', now + 15)).toBe(true)
      await outbox.release('a')
      expect(await hold('a', now + 15)).toBe(false)
      await outbox.release('b')
      expect(await hold('a', now + 15)).toBe(true)
      const none = { channel: '99', worker: 'a', now, until: now + 1 }
      expect(await outbox.holdChannel(none)).toBe(false)
    })
  })
}
