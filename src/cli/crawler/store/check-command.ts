import { EnvironmentError, type FileStore, type StoreTotals } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import { humanBytes } from '../../text/human-bytes.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import { withStore } from '../open-store.js'

interface Found {
  readonly problems: readonly string[]
  /** Null where they cannot be counted any more. */
  readonly totals: StoreTotals | null
}

/** `revisit check`: whether the store is in order. */
export async function checkCommand(world: World, flags: CrawlerFlags): Promise<number> {
  const { problems, totals } = await found(await configured(world, flags))
  if (flags.json === true) world.out.write(`${JSON.stringify({ problems, ...totals })}\n`)
  else if (problems.length === 0 && totals !== null) world.out.write(inOrder(totals))
  else {
    for (const problem of problems) world.out.write(`${problem}\n`)
    world.err.write(
      'the store is not in order; keep the file, and put the last good copy in its place with revisit restore\n',
    )
  }
  return problems.length === 0 ? exitCode.done : exitCode.damaged
}

/** A store so torn that it cannot be opened is a finding of the check, not its failure. */
async function found(made: Configured): Promise<Found> {
  try {
    return await withStore(made, contentsOf, { readOnly: true, unseen: true })
  } catch (fault) {
    if (!isDamage(fault)) throw fault
    return { problems: [fault.message], totals: null }
  }
}

async function contentsOf(store: FileStore): Promise<Found> {
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
