import { checkMovable, moveCollection } from '../../crawler/move/move-store.js'
import {
  type Checksum,
  type CollectionChecksums,
  collectionChecksums,
} from '../../crawler/move/store-checksums.js'
import { storeStatus } from '../../crawler/processes/store-status.js'
import { InputError, OptionError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { plainCommand } from '../command.js'
import {
  type CrawlerEnvironment,
  type Environment,
  exitCode,
  type Progress,
} from '../environment.js'
import { database } from '../settings/setting-kinds.js'
import { jsonText } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { AlignedTable, columns } from '../text/table.js'

/** What a move came to in one collection. */
interface Moved {
  readonly collection: string
  readonly from: CollectionChecksums
  readonly to: CollectionChecksums
  readonly same: boolean
}

/** `revisit move FROM TO`: all of a store into another, of whatever kind. */
export const moveCommand = plainCommand({
  description:
    'Move all that a store holds to another: from a file to PostgreSQL, back, or to another file. Pages, what was learned of them, their next visits, all visits in order, contents, hosts, settings, channels and changes; FROM is only read. Stop what works on either first. A move that was stopped or killed goes on where it was when it is given again. At the end both are read through, and the counts and checksums of each collection compared.',
  arguments: [
    ['<FROM>', 'a file, or postgres://user@host/name'],
    ['<TO>', 'the same; made where it is not there'],
  ],
  options: [
    ['--only <collection>', 'this collection alone; all by default'],
    ['--json', 'counts and checksums for programs'],
  ],
  async run(environment, [source, target], flags) {
    if (source === target)
      throw new OptionError('options-conflict', 'FROM and TO are the same store')
    const outside = await environment.crawler()
    const from = await outside.openStore({ path: source, readOnly: true })
    try {
      const now = () => outside.clock.now()
      const collections = await collectionsIn(from, { name: source, only: flags.only })
      await checkMovable(from, collections)
      await checkIdle({ store: from, name: source }, { collections, now: now() })
      // What is refused leaves no empty store behind, in which the next command would work.
      const moved =
        collections.length === 0
          ? []
          : await moveAll({ environment, outside }, { from, target, collections, now })
      if (flags.json === true) environment.out.write(jsonText(moved))
      else writeMoved(environment, moved, database.write(target))
      return moved.every(({ same }) => same) ? exitCode.done : exitCode.damaged
    } finally {
      await from.close()
    }
  },
})

interface Named {
  readonly store: Store
  readonly name: string
}

async function collectionsIn(
  from: Store,
  { name, only }: { readonly name: string; readonly only: string | undefined },
): Promise<readonly string[]> {
  const all = await from.collections()
  if (only === undefined) return all
  if (all.includes(only)) return [only]
  throw new InputError('no-collection', `${database.write(name)} has no collection "${only}"`)
}

async function moveAll(
  { environment, outside }: { environment: Environment; outside: CrawlerEnvironment },
  {
    from,
    target,
    collections,
    now,
  }: { from: Store; target: string; collections: readonly string[]; now: () => UnixSeconds },
): Promise<Moved[]> {
  // Nothing is lost if the power goes: the move is begun anew then, from a source that is whole.
  const retention = { newest: Infinity, youngerThan: Infinity }
  const to = await outside.openStore({ path: target, unsynced: true, retention })
  try {
    await checkIdle({ store: to, name: target }, { collections, now: now() })
    const moved: Moved[] = []
    for (const collection of collections) {
      let shown: { readonly step: string; readonly bar: Progress } | undefined
      const progress = (step: string, done: number) => {
        if (shown?.step !== step) {
          shown?.bar.stop()
          const label = `${collection}: ${step}`
          shown = { step, bar: environment.progress({ label, total: undefined, writes: false }) }
        }
        shown.bar.at(done)
      }
      await moveCollection({ from, to, collection, now, progress })
      shown?.bar.stop()
      // A server works while a file is read here.
      const [before, after] = await Promise.all([
        collectionChecksums(from, collection),
        collectionChecksums(to, collection),
      ])
      const same = JSON.stringify(before) === JSON.stringify(after)
      moved.push({ collection, from: before, to: after, same })
    }
    return moved
  } finally {
    await to.close()
  }
}

/** What is visited while it is moved would be half of it here and half there. */
async function checkIdle(
  { store, name }: Named,
  { collections, now }: { readonly collections: readonly string[]; readonly now: number },
): Promise<void> {
  for (const collection of collections) {
    const { workers } = await storeStatus(store, { collection, now })
    const alive = workers.filter((each) => each.alive)
    if (alive.length === 0) continue
    throw new InputError(
      'store-busy',
      `${counted(alive.length, 'process')} at work on ${database.write(name)}; stop them first (revisit status shows them)`,
    )
  }
}

const kinds = ['pages', 'nextVisits', 'visits', 'versions', 'hosts'] as const

function writeMoved({ out }: Environment, moved: readonly Moved[], target: string): void {
  if (moved.length === 0) {
    out.write('FROM holds no pages\n')
    return
  }
  const titles = ['collection', 'kind', '>moved', 'checksum', '']
  const table = new AlignedTable(columns(...titles), out)
  for (const { collection, from, to } of moved)
    for (const kind of kinds)
      table.row([
        collection,
        kind === 'nextVisits' ? 'next visits' : kind,
        String(to[kind].count),
        to[kind].sum,
        difference(from[kind], to[kind]),
      ])
  table.end()
  const bad = moved.filter(({ same }) => !same)
  out.write(
    bad.length === 0
      ? `all of it is in ${target}\n`
      : `${counted(bad.length, 'collection')} not the same in ${target}: move to a new store\n`,
  )
}

function difference(from: Checksum, to: Checksum): string {
  if (from.count !== to.count) return `FROM has ${from.count}`
  return from.sum === to.sum ? 'same' : `FROM has ${from.sum}`
}
