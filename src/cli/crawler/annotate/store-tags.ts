import { shown } from '../../../formats/index.js'
import { humanTime, type Store, type UnixSeconds, WEEK } from '../../../model/index.js'
import {
  addressesOf,
  type ChangeRecord,
  type CountReading,
  declaredChange,
  tagContent,
  visitsPast,
  weeklyCounts,
} from '../../../publish/index.js'
import { exitCode } from '../../exit-code.js'
import { AlignedTable } from '../../text/aligned-table.js'
import { jsonArray } from '../../text/json-array.js'
import type { Configured } from '../configured.js'
import { listed } from '../pages/list-command.js'
import { keptUrl } from '../pages/named-page.js'

/** The past of a file, from the visits of the page that shows it. */
export function pastInStore(
  made: Configured,
  { store, base, weeks }: { readonly store: Store; readonly base: string; readonly weeks: number },
): (path: string) => Promise<ChangeRecord | null> {
  const { collection } = made.config
  addressesOf('', { base })
  return async (path) => {
    for (const address of addressesOf(path, { base })) {
      const page = await store.getPage({ collection, url: keptUrl(made, address) })
      if (page !== null) return pastOf(store, { page, weeks, now: made.world.now() })
    }
    return null
  }
}

async function pastOf(
  store: Store,
  {
    page,
    weeks,
    now,
  }: {
    readonly page: { readonly id: string }
    readonly weeks: number
    readonly now: UnixSeconds
  },
): Promise<ChangeRecord | null> {
  const visits = await store.visitsOf(page, { from: now - (weeks + 3) * WEEK })
  return visitsPast(visits, { now })
}

/** `revisit annotate --store`: the tag of each page that is watched. */
export async function writeStoreTags(
  { world, config }: Configured,
  options: {
    readonly store: Store
    readonly weeks: number
    readonly reading: CountReading
    readonly json: boolean
  },
): Promise<number> {
  const { store, weeks, reading, json } = options
  const now = world.now()
  const rows: StoreTag[] = []
  const filter = { collection: config.collection }
  for await (const page of listed(store, { filter, sort: 'url' })) {
    const past = await pastOf(store, { page, weeks, now })
    const counts = past === null ? null : weeklyCounts(past, { now, weeks })
    const tag = counts === null ? null : tagContent(declaredChange(counts, { reading }))
    rows.push({ url: page.url, tag, counts, since: past?.since ?? null })
  }
  if (json) world.out.write(jsonArray(rows))
  else writeTable((text) => world.out.write(text), rows, world.out.columns)
  return rows.length === 0 ? exitCode.nothingLeft : exitCode.done
}

interface StoreTag {
  readonly url: string
  readonly tag: string | null
  readonly counts: readonly number[] | null
  readonly since: UnixSeconds | null
}

function writeTable(
  write: (text: string) => void,
  rows: readonly StoreTag[],
  room: number | undefined,
): void {
  const titles = ['page', 'tag', 'days with a change, by week', 'known since']
  const columns = titles.map((title) => ({ title, align: 'left' as const }))
  const table = new AlignedTable(columns, { write, room })
  for (const { url, tag, counts, since } of rows)
    table.row([
      shown(url),
      tag ?? '-',
      counts?.join(' ') ?? '-',
      since === null ? '-' : humanTime(since),
    ])
  table.end()
}
