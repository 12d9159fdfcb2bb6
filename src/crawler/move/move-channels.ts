import type { Store } from '../../model/store.js'
import { inParts } from './slices.js'

/** Visits read at a time. */
const slice = 500

interface Stores {
  readonly from: Store
  readonly to: Store
  readonly collection: string
}

/** With what is still to be sent; a channel goes on with the visit after the last it dealt with. */
export async function moveChannels({ from, to, collection }: Stores): Promise<void> {
  const there = new Set((await to.outbox.channels(collection)).map(({ name }) => name))
  for (const channel of await from.outbox.channels(collection)) {
    if (there.has(channel.name)) continue
    const { name, settings, addedAt } = channel
    const cursor = await cursorIn({ from, to, collection }, channel.cursor)
    const pending = await from.outbox.pending({ channel: channel.id, limit: 100_000 })
    const deliveries = await inParts(pending, async ({ page, event }) => {
      const url = (await from.getPage({ id: page }))?.url
      const moved = url === undefined ? null : await to.getPage({ collection, url })
      return moved === null ? [] : [{ page: moved.id, event }]
    })
    const added = await to.outbox.addChannel({ collection, name, settings, now: addedAt, cursor })
    const all = { channel: added.id, from: cursor, upTo: cursor, now: addedAt }
    if (pending.length > 0) await to.outbox.advance({ ...all, deliveries: deliveries.flat() })
    if (!channel.enabled) await to.outbox.changeChannel(added.id, { enabled: false })
  }
}

/** As many visits from the end of the log as in the source. */
async function cursorIn({ from, to, collection }: Stores, cursor: number): Promise<number> {
  let behind = 0
  let after = cursor
  for (;;) {
    const visits = await from.visitLog({ collection, after, limit: slice })
    if (visits.length === 0) break
    behind += visits.length
    after = visits[visits.length - 1]!.number
  }
  const query = { collection, newestFirst: true, limit: slice }
  let before: number | undefined
  for (let left = behind; ; left -= slice) {
    const visits = await to.visitLog({ ...query, ...(before === undefined ? {} : { before }) })
    if (left < visits.length) return visits[left]!.number
    if (visits.length < slice) return 0
    before = visits[visits.length - 1]!.number
  }
}
