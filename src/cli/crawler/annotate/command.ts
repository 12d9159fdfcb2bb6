import { OptionError } from '../../../model/index.js'
import {
  type AnnotateFolderOptions,
  annotateFolder,
  type FolderNotes,
  weeksCompared,
} from '../../../publish/index.js'
import { exitCode } from '../../exit-code.js'
import { parseCount } from '../../text/parse-count.js'
import type { Progress, World } from '../../world.js'
import { configured } from '../configured.js'
import { withStore } from '../open-store.js'
import type { AnnotateFlags } from './flags.js'
import { writeNotes } from './notes-text.js'
import { pastInStore, writeStoreTags } from './store-tags.js'

/** `revisit annotate [FOLDER]`: what each page can say of its changes, written into it. */
export async function annotateCommand(
  world: World,
  { folder, flags }: { readonly folder: string | undefined; readonly flags: AnnotateFlags },
): Promise<number> {
  const fromStore = flags.store === true || flags.base !== undefined
  const weeks =
    flags.weeks === undefined
      ? weeksCompared
      : parseCount(flags.weeks, { option: '--weeks', from: 1 })
  if (folder === undefined && !fromStore)
    throw new OptionError(
      'no-folder',
      'name the folder of the site: revisit annotate FOLDER; or --store for the pages that are watched',
    )
  if (folder !== undefined && fromStore && flags.base === undefined)
    throw new OptionError(
      'no-base',
      'give --base with the address of the folder, such as https://example.org/, to find its pages among those watched',
    )
  if (!fromStore) return onFolder(world, { folder: folder!, flags, weeks })
  const made = await configured(world, flags)
  const reading = flags.literal === true ? 'literal' : 'days'
  return withStore(
    made,
    (store) =>
      folder === undefined
        ? writeStoreTags(made, { store, weeks, reading, json: flags.json === true })
        : onFolder(world, {
            folder,
            flags,
            weeks,
            pastOf: pastInStore(made, { store, base: flags.base!, weeks }),
          }),
    { readOnly: true },
  )
}

interface FolderWork {
  readonly folder: string
  readonly flags: AnnotateFlags
  readonly weeks: number
  readonly pastOf?: NonNullable<AnnotateFolderOptions['pastOf']>
}

async function onFolder(world: World, work: FolderWork): Promise<number> {
  const stop = new AbortController()
  const forget = world.onInterrupt?.(() => stop.abort())
  let bar: Progress | undefined
  const progress = (done: number, total: number) => {
    bar ??= world.progress({ label: 'pages', total, writes: false })
    bar.at(done)
  }
  try {
    const now = world.now()
    const { signal } = stop
    const notes = await annotateFolder({ ...optionsOf(work), now, progress, signal })
    bar?.stop()
    await writeNotes(world, { ...work, notes, stopped: signal.aborted })
    return signal.aborted ? exitCode.interrupted : codeOf(notes)
  } finally {
    bar?.stop()
    forget?.()
  }
}

function optionsOf({
  folder,
  flags,
  weeks,
  pastOf,
}: FolderWork): Omit<AnnotateFolderOptions, 'now'> {
  const { dryRun, print, literal, keep = false, touch = false } = flags
  return {
    folder,
    weeks,
    keep,
    touch,
    write: dryRun === true ? 'nothing' : print === true ? 'record' : 'tags',
    reading: literal === true ? 'literal' : 'days',
    ...(pastOf === undefined ? {} : { pastOf }),
  }
}

/** A page that could not be read or written is a failure of the world, not of the run. */
function codeOf({ pages, problems }: FolderNotes): number {
  const failed = problems.length > 0 || pages.some(({ outcome }) => outcome === 'failed')
  if (failed) return exitCode.environment
  return pages.length === 0 ? exitCode.nothingLeft : exitCode.done
}
