import {
  type Incomparable,
  type KeptContent,
  VersionDiffs,
  type View,
  whyIncomparable,
} from '../../../crawl/index.js'
import { type DiffLine, shown } from '../../../formats/index.js'
import {
  EnvironmentError,
  humanTime,
  OptionError,
  type Store,
  type Version,
} from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { humanBytes } from '../../text/human-bytes.js'
import type { World } from '../../world.js'
import { type CrawlerFlags, configured } from '../configured.js'
import { withStore } from '../open-store.js'
import { namedPage } from '../pages/named-page.js'
import { type ChosenVersions, chosenVersions } from './chosen-versions.js'
import { diffText } from './diff-text.js'
import { wordsText } from './words-text.js'

export interface DiffFlags extends CrawlerFlags {
  readonly words?: boolean
  readonly whole?: boolean
  readonly raw?: boolean
  readonly color?: boolean
}

/** A person waits for one page, and nobody else does. */
const limits = { threads: 1, time: 20, pdfTime: 30 }
/** The shortest way between texts takes time that grows with the square of this. */
const mostEdits = 5000

/** `revisit diff URL [A B]`: what changed between two copies of a page. */
export async function diffCommand(
  world: World,
  {
    address,
    named,
    flags,
  }: { address: string; named: readonly (string | undefined)[]; flags: DiffFlags },
): Promise<number> {
  const view = chosenView(flags)
  const made = await configured(world, flags)
  return withStore(
    made,
    async (store) => {
      const page = await namedPage(made, { store, address })
      const chosen = chosenVersions(await store.versionsOf(page), named)
      const before = await kept(chosen.before, store)
      const after = await kept(chosen.after, store)
      const diffs = new VersionDiffs(limits)
      const asked = { view, mostLetters: Number.POSITIVE_INFINITY, mostEdits }
      const found = await diffs.lines({ page, before, after }, asked).finally(() => diffs.close())
      if (found.kind === 'lines') {
        const colour = flags.color !== false && made.crawler.colours
        const what = { ...chosen, url: page.url, view, lines: found.lines }
        world.out.write(compared(what, { flags, colour }))
      } else if (found.kind === 'no-text') world.out.write(binaryText(chosen, flags))
      else throw notCompared(found, view)
      return exitCode.done
    },
    { readOnly: true },
  )
}

function chosenView({ whole, raw }: DiffFlags): View {
  if (whole === true && raw === true)
    throw new OptionError('whole-and-raw', 'choose one of --whole and --raw')
  return raw === true ? 'source' : whole === true ? 'whole' : 'compared'
}

async function kept(version: Version, store: Store): Promise<KeptContent> {
  const body = await store.snapshot(version.digest)
  if (body !== null) return { version, body }
  throw new EnvironmentError('no-content', 'this copy was let go meanwhile; choose another')
}

function notCompared(found: Incomparable, view: View): EnvironmentError {
  const hint = view === 'compared' ? '; --whole compares the whole page' : ''
  return new EnvironmentError('not-compared', `${whyIncomparable(found)}${hint}`)
}

const same = {
  compared:
    'What is compared of this page is the same in both copies; --whole compares the whole page.',
  whole: 'The text is the same; --raw compares the sources.',
  source: 'The sources are the same.',
} as const

function compared(
  what: ChosenVersions & { url: string; view: View; lines: readonly DiffLine[] },
  { flags, colour }: { flags: DiffFlags; colour: boolean },
): string {
  const { url, before, after, view, lines } = what
  const note = lines.every(({ kind }) => kind === 'same') ? same[view] : null
  if (flags.json === true) {
    const named = ({ at, digest }: Version) => ({ at, digest })
    const both = { before: named(before), after: named(after) }
    return `${JSON.stringify({ url, ...both, view, note, lines })}\n`
  }
  const head = `${shown(url)}\n--- ${humanTime(before.at)}\n+++ ${humanTime(after.at)}\n`
  if (note !== null) return `${head}${note}\n`
  return head + (flags.words === true ? wordsText : diffText)(lines, { colour })
}

function binaryText({ before, after }: ChosenVersions, { json }: DiffFlags): string {
  const same = before.digest === after.digest
  if (json === true) return `${JSON.stringify({ before, after, same, lines: null })}\n`
  const told = `${humanBytes(before.bytes)} at ${humanTime(before.at)}, ${humanBytes(after.bytes)} at ${humanTime(after.at)}`
  return `No text to compare: ${told}; the bytes ${same ? 'are the same' : 'differ'}.\n`
}
