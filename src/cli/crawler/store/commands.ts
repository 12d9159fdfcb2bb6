import { OptionError } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
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
      const { pages, visits } = await store.backup(file)
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
