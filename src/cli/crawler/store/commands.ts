import { OptionError } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import { humanBytes } from '../../text/human-bytes.js'
import type { World } from '../../world.js'
import { type CrawlerFlags, configured } from '../configured.js'
import { withStore } from '../open-store.js'

/** `revisit backup FILE`: a copy of the store as it is now, while work goes on. */
export async function backupCommand(
  world: World,
  { file, flags }: { file: string; flags: CrawlerFlags },
): Promise<number> {
  const made = await configured(world, flags)
  return withStore(
    made,
    async (store) => {
      await store.backup(file)
      const { pages, visits } = await store.totals()
      world.out.write(
        flags.json === true
          ? `${JSON.stringify({ file, pages, visits })}\n`
          : `${counted(pages, 'page')} and ${counted(visits, 'visit')} copied to ${file}\n`,
      )
      return exitCode.done
    },
    { readOnly: true },
  )
}

export interface RestoreFlags extends CrawlerFlags {
  readonly replace?: boolean
}

/** `revisit restore FILE`: a backup in the place of the store. */
export async function restoreCommand(
  world: World,
  { file, flags }: { file: string; flags: RestoreFlags },
): Promise<number> {
  const { crawler, config } = await configured(world, flags)
  const { database } = config
  if (crawler.exists(database) && flags.replace !== true)
    throw new OptionError(
      'file-exists',
      `${database} is there already; --replace puts the backup in its place`,
    )
  await crawler.restoreStore({ from: file, to: database, replace: flags.replace === true })
  world.out.write(
    flags.json === true
      ? `${JSON.stringify({ file, database })}\n`
      : `${database} is as in ${file}\n`,
  )
  return exitCode.done
}

/** `revisit check`: whether the store is in order. */
export async function checkCommand(world: World, flags: CrawlerFlags): Promise<number> {
  const made = await configured(world, flags)
  return withStore(
    made,
    async (store) => {
      const problems = await store.check()
      const totals = await store.totals()
      const { pages, visits, versions, packedBytes } = totals
      if (flags.json === true) world.out.write(`${JSON.stringify({ problems, ...totals })}\n`)
      else if (problems.length === 0)
        world.out.write(
          `in order: ${counted(pages, 'page')}, ${counted(visits, 'visit')}, ${counted(versions, 'copy')} in ${humanBytes(packedBytes)}\n`,
        )
      else {
        for (const problem of problems) world.out.write(`${problem}\n`)
        world.err.write(
          'the store is not in order; keep the file, and put the last good copy in its place with revisit restore\n',
        )
      }
      return problems.length === 0 ? exitCode.done : exitCode.damaged
    },
    { readOnly: true },
  )
}
