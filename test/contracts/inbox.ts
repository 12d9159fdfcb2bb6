import { beforeEach, describe, expect, it } from 'vitest'
import type { Inbox, NewChange } from '../../src/model/inbox.js'
import type { Store } from '../../src/model/store.js'

const now = 1_700_000_000
const collection = 'news'

/** Everything every inbox owes its caller. */
export function describeInbox(name: string, open: () => Promise<Store>): void {
  describe(`${name}, as an inbox`, () => {
    let store: Store
    let inbox: Inbox
    let ids: string[]
    beforeEach(async () => {
      store = await open()
      inbox = store.inbox
      await store.addPages({
        collection,
        now,
        pages: [
          { url: 'https://a.example/café', group: 'shops', tags: ['daily'] },
          { url: 'https://b.example/', tags: ['daily', 'say "hi"'] },
          { url: 'https://c.example/' },
        ],
      })
      ids = (await store.listPages({ collection, limit: 10 })).pages.map(({ id }) => id)
      await inbox.add(collection, [
        change(3, 0, {
          title: 'Prices',
          removed: 'was 10',
          added: 'now 12',
          text: '+ now 12 euro',
        }),
        change(5, 1, { title: 'Über uns', text: '+ 東京 opening' }),
        change(9, 2, { text: '+ now open "again" AND NOT closed*' }),
      ])
      return async () => {
        expect(await store.check()).toEqual([])
        await store.close()
      }
    })

    const change = (number: number, page: number, more: Partial<NewChange> = {}): NewChange => ({
      number,
      page: ids[page]!,
      at: now + number,
      previous: null,
      title: null,
      removed: '',
      added: '',
      share: null,
      note: null,
      text: '',
      ...more,
    })
    const numbers = async (more: object = {}) =>
      (await inbox.list({ collection, limit: 10, ...more })).changes.map(({ number }) => number)

    it('gives changes newest first, stretch by stretch, with their page as it is now', async () => {
      const first = await inbox.list({ collection, limit: 2 })
      expect(first.changes.map(({ number }) => number)).toEqual([9, 5])
      expect(first.next).toBe(5)
      const rest = await inbox.list({ collection, limit: 2, before: first.next! })
      expect(rest).toEqual({
        changes: [
          {
            number: 3,
            at: now + 3,
            previous: null,
            title: 'Prices',
            removed: 'was 10',
            added: 'now 12',
            share: null,
            note: null,
            seen: false,
            page: {
              id: ids[0],
              url: 'https://a.example/caf%C3%A9',
              host: 'a.example',
              title: null,
              group: 'shops',
              tags: ['daily'],
            },
          },
        ],
        next: null,
      })
      expect(await numbers({ collection: 'other' })).toEqual([])
    })

    it('keeps a change that comes twice as it was, and none of a page that is no more', async () => {
      await inbox.mark({ collection, seen: true, numbers: [3] })
      await inbox.add(collection, [
        change(3, 0, { title: 'other' }),
        { ...change(11, 0), page: '999' },
      ])
      await inbox.add('other', [change(12, 0)])
      expect(await numbers()).toEqual([9, 5, 3])
      expect((await inbox.list({ collection, limit: 1, before: 4 })).changes[0]).toMatchObject({
        title: 'Prices',
        seen: true,
      })
      await store.removePages([{ id: ids[1]! }])
      expect(await numbers()).toEqual([9, 3])
      expect(await numbers({ search: 'uber' })).toEqual([])
    })

    it('chooses by group, tag and page', async () => {
      expect(await numbers({ group: 'shops' })).toEqual([3])
      expect(await numbers({ group: 'daily' })).toEqual([5, 3])
      expect(await numbers({ group: 'say "hi"' })).toEqual([5])
      expect(await numbers({ group: 'say' })).toEqual([])
      expect(await numbers({ page: ids[2] })).toEqual([9])
      await store.changePage({ id: ids[2]! }, { tags: ['daily'] })
      expect(await numbers({ group: 'daily' })).toEqual([9, 5, 3])
      const tagged = await store.listPages({ collection, group: 'daily', limit: 10 })
      expect(tagged.pages).toHaveLength(3)
      expect(await store.countPages({ collection, group: 'shops' })).toBe(1)
    })

    it('finds words by their beginnings, in title, address and text, whatever their case and accents', async () => {
      expect(await numbers({ search: 'PRI' })).toEqual([3])
      expect(await numbers({ search: 'uber' })).toEqual([5])
      expect(await numbers({ search: 'ÜBER uns' })).toEqual([5])
      expect(await numbers({ search: 'now' })).toEqual([9, 3])
      expect(await numbers({ search: 'now eur' })).toEqual([3])
      expect(await numbers({ search: '京' })).toEqual([5])
      expect(await numbers({ search: 'b.example' })).toEqual([5])
      expect(await numbers({ search: 'cafe' })).toEqual([3])
      expect(await numbers({ search: 'now', group: 'shops' })).toEqual([3])
    })

    it('takes signs of a query language for no more than signs', async () => {
      expect(await numbers({ search: '"again" AND closed*' })).toEqual([9])
      expect(await numbers({ search: 'now) OR (words:x' })).toEqual([])
      expect(await numbers({ search: `'; drop table changes; --` })).toEqual([])
      expect(await numbers({ search: '"*^:' })).toEqual([])
      expect(await numbers({ search: 'now '.repeat(200) })).toEqual([9, 3])
    })

    it('marks some, those of a filter, or all up to one, and counts the rest by group', async () => {
      expect(await inbox.unseen(collection)).toEqual({
        unseen: 3,
        groups: [
          { name: 'daily', unseen: 2 },
          { name: 'say "hi"', unseen: 1 },
          { name: 'shops', unseen: 1 },
        ],
      })
      expect(await inbox.mark({ collection, seen: true, numbers: [5, 9, 99] })).toBe(2)
      expect(await inbox.mark({ collection, seen: true, numbers: [5] })).toBe(0)
      expect(await numbers({ unseen: true })).toEqual([3])
      expect(await inbox.mark({ collection, seen: false })).toBe(2)
      expect(await inbox.mark({ collection, seen: true, upTo: 5 })).toBe(2)
      expect(await numbers({ unseen: true })).toEqual([9])
      expect(await inbox.mark({ collection, seen: true, search: 'closed' })).toBe(1)
      expect(await inbox.unseen(collection)).toEqual({ unseen: 0, groups: [] })
      expect(await inbox.mark({ collection, seen: false, group: 'daily' })).toBe(2)
    })

    it('lets go of the oldest', async () => {
      expect(await inbox.keepNewest(collection, 3)).toBe(0)
      expect(await inbox.keepNewest(collection, 1)).toBe(2)
      expect(await numbers()).toEqual([9])
      expect(await numbers({ search: 'prices' })).toEqual([])
    })
  })
}
