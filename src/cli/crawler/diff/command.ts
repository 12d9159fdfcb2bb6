import { lineDiff, shown } from '../../../formats/index.js'
import { humanTime, type Version } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { humanBytes } from '../../text/human-bytes.js'
import type { World } from '../../world.js'
import { type CrawlerFlags, configured } from '../configured.js'
import { withStore } from '../open-store.js'
import { namedPage } from '../pages/named-page.js'
import { type ChosenVersions, chosenVersions } from './chosen-versions.js'
import { diffText } from './diff-text.js'
import { versionText } from './version-text.js'
import { wordsText } from './words-text.js'

export interface DiffFlags extends CrawlerFlags {
  readonly words?: boolean
  readonly raw?: boolean
  readonly color?: boolean
}

/** `revisit diff URL [A B]`: what changed between two copies of a page. */
export async function diffCommand(
  world: World,
  {
    address,
    named,
    flags,
  }: { address: string; named: readonly (string | undefined)[]; flags: DiffFlags },
): Promise<number> {
  const made = await configured(world, flags)
  return withStore(
    made,
    async (store) => {
      const page = await namedPage(made, { store, address })
      const chosen = chosenVersions(await store.versionsOf(page), named)
      const options = { store, raw: flags.raw === true, url: page.url }
      const before = await versionText(chosen.before, options)
      const after = await versionText(chosen.after, options)
      const colour = flags.color !== false && made.crawler.colours
      world.out.write(
        before === null || after === null
          ? binaryText(chosen, flags)
          : compared({ ...chosen, url: page.url, texts: [before, after] }, { flags, colour }),
      )
      return exitCode.done
    },
    { readOnly: true },
  )
}

function compared(
  what: ChosenVersions & { url: string; texts: readonly [string, string] },
  { flags, colour }: { flags: DiffFlags; colour: boolean },
): string {
  const { url, before, after, texts } = what
  const lines = lineDiff(...texts)
  if (flags.json === true) {
    const named = ({ at, digest }: Version) => ({ at, digest })
    return `${JSON.stringify({ url, before: named(before), after: named(after), lines })}\n`
  }
  const head = `${shown(url)}\n--- ${humanTime(before.at)}\n+++ ${humanTime(after.at)}\n`
  const body = (flags.words === true ? wordsText : diffText)(lines, { colour })
  return head + (body === '' ? 'The text is the same; --raw compares the sources.\n' : body)
}

function binaryText({ before, after }: ChosenVersions, { json }: DiffFlags): string {
  const same = before.digest === after.digest
  if (json === true) return `${JSON.stringify({ before, after, same, lines: null })}\n`
  const told = `${humanBytes(before.bytes)} at ${humanTime(before.at)}, ${humanBytes(after.bytes)} at ${humanTime(after.at)}`
  return `No text to compare: ${told}; the bytes ${same ? 'are the same' : 'differ'}.\n`
}
