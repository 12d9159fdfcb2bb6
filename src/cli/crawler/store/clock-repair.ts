import { type HostState, hostInTime } from '../../../crawl/index.js'
import { DAY, type FileStore, type SetBack, type UnixSeconds } from '../../../model/index.js'
import { confirmed } from '../../confirmed.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import { todaySetting } from '../open-crawler.js'
import { withStore } from '../open-store.js'

/** Between the last visit of the right time and the first one ahead, where nobody need be asked. */
const hole = 7 * DAY

export interface RepairFlags extends CrawlerFlags {
  readonly yes?: boolean
}

/** `revisit repair`: takes back what was written while the clock was ahead. */
export async function repairCommand(world: World, flags: RepairFlags): Promise<number> {
  const made = await configured(world, flags)
  return withStore(made, async (store) => {
    const now = made.crawler.clock.now()
    const ahead = await store.timesAhead(now)
    const about = `This moves ${counted(ahead?.visits ?? 0, 'visit')} of a time still to come to now, ${moment(now)}, which must be right`
    if (ahead !== null && !(await confirmed(world, { yes: flags.yes === true, about })))
      return exitCode.refused
    const done = await setBackAll(store, now)
    const { pages, visits, hosts } = done
    world.out.write(
      flags.json === true
        ? `${JSON.stringify({ pages, visits, hosts: hosts.length })}\n`
        : `set back: ${counted(visits, 'visit')} of ${counted(pages, 'page')}, ${counted(hosts.length, 'host')}\n`,
    )
    return exitCode.done
  })
}

/**
 * At each start: a clock that was ahead for a while and is right again has left
 * pages that would not be visited for as long. Where the clock of now may be
 * the wrong one (visits go on without a hole, or pages were added after it), it
 * is only reported.
 */
export async function setBackAtStart({ crawler }: Configured, store: FileStore): Promise<void> {
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
    await store.putHosts([{ ...record, state: state as never }])
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
