import { VersionDiffs } from '../../content/bounded/version-diffs.js'
import { systemClock } from '../../crawler/system-clock.js'
import { shown } from '../../formats/printable-text.js'
import { humanMoment } from '../../model/duration.js'
import { given } from '../../model/given.js'
import type { ChangeFilter, ChangeRecord } from '../../model/inbox.js'
import type { Store } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { InboxWriter } from '../../notify/inbox/inbox-writer.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { JsonArray } from '../text/json.js'
import { counted, parseCountOrAll } from '../text/numbers.js'

const options = [
  ['--group <name>', 'only pages of this group or with this tag'],
  ['--search <words>', 'each word begins a word of title, address or changed text'],
  ['--unseen', 'only those that nobody has seen'],
  ['--limit <count>', 'how many, or all (default: 20)', parseCountOrAll],
  ['--mark', 'mark those that are shown as seen'],
  ['--mark-all', 'mark all as seen that the options choose, shown or not'],
] as const

type ChangesFlags = FlagsOf<typeof options> & CrawlerFlags

/** Milliseconds; the rest is described by the next call, or by serve. */
const longestCatchUp = 20_000
const stretch = 200

/** `revisit changes`: the inbox in the terminal. */
export const changesCommand = storeCommand({
  description:
    'What changed, the newest first: site and title, the words that went (-) and came (+). A * stands before those that nobody has seen yet.',
  arguments: [['[URL]', 'only changes of this page']],
  options,
  async run(environment, [address], flags) {
    const made = await configured(environment, flags)
    return withStore(made, (store) => changes(made, { store, address, flags }))
  },
})

async function changes(
  made: Configured,
  asked: {
    readonly store: Store
    readonly address: string | undefined
    readonly flags: ChangesFlags
  },
): Promise<number> {
  const { store, address, flags } = asked
  const { collection } = made.config
  const page = address === undefined ? undefined : (await namedPage(made, { store, address })).id
  await catchUp(made, store)
  const { group, search, limit = 20 } = flags
  const unseen = flags.unseen === true ? true : undefined
  const filter = { collection, ...given({ group, search, page, unseen }) }
  const found = await listed(store, { filter, limit })
  if (flags.json === true) {
    const array = new JsonArray(made.environment.out)
    for (const each of found) array.record(each)
    array.end()
  } else await writeText(made, { store, found })
  const { unseen: _, ...all } = filter
  if (flags.markAll === true) await store.inbox.mark({ ...all, seen: true })
  else if (flags.mark === true && found.length > 0)
    await store.inbox.mark({ collection, seen: true, numbers: found.map(({ number }) => number) })
  return exitCode.done
}

/** What visits found since the inbox was last written, by this command or by serve. */
async function catchUp({ config, crawler }: Configured, store: Store): Promise<void> {
  const { collection } = config
  const diffs = new VersionDiffs({ threads: 1 })
  const clock = { now: () => crawler.clock.now(), sleep: systemClock.sleep }
  const writer = new InboxWriter({ store, collection, diffs, clock })
  try {
    await writer.catchUp(AbortSignal.timeout(longestCatchUp))
  } finally {
    await diffs.close()
  }
}

async function listed(
  store: Store,
  { filter, limit }: { readonly filter: ChangeFilter; readonly limit: number },
): Promise<readonly ChangeRecord[]> {
  const found: ChangeRecord[] = []
  let before: number | undefined
  while (found.length < limit) {
    const most = Math.min(stretch, limit - found.length)
    const list = await store.inbox.list({ ...filter, limit: most, ...given({ before }) })
    found.push(...list.changes)
    if (list.next === null) break
    before = list.next
  }
  return found
}

async function writeText(
  { environment: { out }, config, crawler }: Configured,
  { store, found }: { readonly store: Store; readonly found: readonly ChangeRecord[] },
): Promise<void> {
  const now = crawler.clock.now()
  for (const change of found) {
    out.write(changeText(change, now))
    await out.drained()
  }
  const { unseen } = await store.inbox.unseen(config.collection)
  const none = found.length === 0 ? 'no changes\n' : ''
  out.write(`${none}${counted(unseen, 'change')} not seen yet\n`)
}

function changeText(change: ChangeRecord, now: UnixSeconds): string {
  const { page, title, at, removed, added, note, seen } = change
  const name = title ?? page.title
  const lines = [
    `${seen ? ' ' : '*'} ${humanMoment(at, now)}  ${shown(name === null ? page.url : `${page.host}: ${name}`)}`,
    ...(name === null ? [] : [`    ${shown(page.url)}`]),
    ...(removed === '' ? [] : [`  - ${shown(removed)}`]),
    ...(added === '' ? [] : [`  + ${shown(added)}`]),
    ...(note === null ? [] : [`    ${shown(note)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}
