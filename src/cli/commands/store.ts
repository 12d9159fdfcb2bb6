import { todaySetting } from '../../crawler/processes/recovery.js'
import { EnvironmentError, OptionError } from '../../model/errors.js'
import {
  type FileStore,
  isFileStore,
  type SetBack,
  type Store,
  type StoreTotals,
} from '../../model/store.js'
import { DAY, type Json, type UnixSeconds } from '../../model/units.js'
import { type HostState, hostInTime } from '../../visit/politeness/host-state.js'
import { storeCommand } from '../command.js'
import {
  type Configured,
  configured,
  refuseServer,
  withFileStore,
  withStore,
} from '../configured.js'
import { confirmed, exitCode } from '../environment.js'
import { answer } from '../text/json.js'
import { counted, humanBytes } from '../text/numbers.js'

/** `revisit backup FILE`: a copy of the store as it is now, while work goes on. */
export const backupCommand = storeCommand({
  description: 'Copy the store as it is now to a new file, while work goes on, and check the copy.',
  arguments: [['<FILE>', 'the file to make']],
  async run(environment, [file], flags) {
    const made = await configured(environment, flags)
    const { pages, visits } = await withFileStore(made, (store) => store.backup(file), {
      readOnly: true,
    })
    answer(environment, {
      json: flags.json,
      record: { file, pages, visits },
      text: `${counted(pages, 'page')} and ${counted(visits, 'visit')} copied to ${file}\n`,
    })
    return exitCode.done
  },
})

/** `revisit restore FILE`: a backup in the place of the store. */
export const restoreCommand = storeCommand({
  description:
    'Put a backup in the place of the store, once it is found whole. A store in use is left alone.',
  arguments: [['<FILE>', 'the backup']],
  options: [['--replace', 'replace the store that is there']],
  async run(environment, [file], flags) {
    const { crawler, config } = await configured(environment, flags)
    refuseServer(config)
    const { database } = config
    if (crawler.exists(database) && flags.replace !== true)
      throw new OptionError(
        'file-exists',
        `${database} is there already; --replace puts the backup in its place`,
      )
    await crawler.restoreStore({ from: file, to: database, replace: flags.replace === true })
    const text = `${database} is as in ${file}\n`
    answer(environment, { json: flags.json, record: { file, database }, text })
    return exitCode.done
  },
})

interface Found {
  readonly problems: readonly string[]
  /** Null where they cannot be counted any more. */
  readonly totals: StoreTotals | null
}

/** `revisit check`: whether the store is in order. */
export const checkCommand = storeCommand({
  description: 'Whether the store is in order; reads all of it. Exit code 5 where it is not.',
  async run(environment, _, flags) {
    const { problems, totals } = await found(await configured(environment, flags))
    const isWell = problems.length === 0
    const faults = problems.map((each) => `${each}\n`).join('')
    answer(environment, {
      json: flags.json,
      record: { problems, ...totals },
      text: isWell && totals !== null ? inOrder(totals) : faults,
    })
    if (!isWell && flags.json !== true)
      environment.err.write(
        'the store is not in order; keep the file, and put the last good copy in its place with revisit restore\n',
      )
    return isWell ? exitCode.done : exitCode.damaged
  },
})

/** A store so torn that it cannot be opened is a finding of the check, not its failure. */
async function found(made: Configured): Promise<Found> {
  try {
    return await withStore(made, contentsOf, { readOnly: true, unseen: true })
  } catch (fault) {
    if (!isDamage(fault)) throw fault
    return { problems: [fault.message], totals: null }
  }
}

async function contentsOf(store: Store): Promise<Found> {
  const problems = await store.check()
  if (problems.length === 0) return { problems, totals: await store.totals() }
  return { problems, totals: await store.totals().catch(nothingIfTorn) }
}

function nothingIfTorn(fault: unknown): null {
  if (isDamage(fault)) return null
  throw fault
}

function isDamage(fault: unknown): fault is EnvironmentError {
  return fault instanceof EnvironmentError && fault.code === 'store-damaged'
}

function inOrder({ pages, visits, versions, packedBytes }: StoreTotals): string {
  return `in order: ${counted(pages, 'page')}, ${counted(visits, 'visit')}, ${counted(versions, 'copy')} in ${humanBytes(packedBytes)}\n`
}

/** Between the last visit of the right time and the first one ahead, where nobody need be asked. */
const hole = 7 * DAY

/** `revisit repair`: takes back what was written while the clock was ahead. */
export const repairCommand = storeCommand({
  description:
    "Take back times that are still to come, as a clock that was ahead wrote them: such visits are moved to now, and their pages are due. First see that this machine's clock is right.",
  options: [['--yes', 'do not ask']],
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    return withFileStore(made, async (store) => {
      const now = made.crawler.clock.now()
      const ahead = await store.timesAhead(now)
      const about = `This moves ${counted(ahead?.visits ?? 0, 'visit')} of a time still to come to now, ${moment(now)}, which must be right`
      if (ahead !== null && !(await confirmed(environment, { yes: flags.yes === true, about })))
        return exitCode.refused
      const { pages, visits, hosts } = await setBackAll(store, now)
      answer(environment, {
        json: flags.json,
        record: { pages, visits, hosts: hosts.length },
        text: `set back: ${counted(visits, 'visit')} of ${counted(pages, 'page')}, ${counted(hosts.length, 'host')}\n`,
      })
      return exitCode.done
    })
  },
})

/**
 * At each start: a clock that was ahead for a while and is right again has left
 * pages that would not be visited for as long. Where the clock of now may be
 * the wrong one (visits go on without a hole, or pages were added after it), it
 * is only reported.
 */
export async function setBackAtStart({ crawler }: Configured, store: Store): Promise<void> {
  // A server goes by its own clock.
  if (!isFileStore(store)) return
  const now = crawler.clock.now()
  const ahead = await store.timesAhead(now)
  if (ahead === null) return
  const { visits, earliest, added } = ahead
  const what = `${counted(visits, 'visit')} of a time still to come (from ${moment(earliest)} on)`
  if (earliest < now + hole || added > 0) {
    crawler.tell(
      `the store holds ${what}; see to the clock of this machine, and where it is right (${moment(now)}): revisit repair\n`,
    )
    return
  }
  const { pages } = await setBackAll(store, now)
  crawler.tell(
    `the store held ${what}, as a clock that was ahead wrote them; they are set back to now, and ${counted(pages, 'page')} due\n`,
  )
}

async function setBackAll(store: FileStore, now: UnixSeconds): Promise<SetBack> {
  const done = await store.setBack(now)
  for (const name of done.hosts) {
    const found = await store.getHost(name)
    if (found === null || found.state === null) continue
    // Whoever wrote it before: this takes its place.
    const { fence: _, ...record } = found
    const state = hostInTime(record.state as unknown as HostState, { now, longest: DAY })
    await store.putHosts([{ ...record, state: state as unknown as Json }])
  }
  for (const collection of await store.collections()) {
    const today = (await store.getSetting(collection, todaySetting)) as { day?: number } | null
    if ((today?.day ?? 0) > now / DAY + 1) await store.putSetting(collection, todaySetting, null)
  }
  return done
}

function moment(at: UnixSeconds): string {
  return new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
