import type { Incomparable } from '../../content/bounded/diff-jobs.js'
import {
  type KeptContent,
  VersionDiffs,
  whyIncomparable,
} from '../../content/bounded/version-diffs.js'
import type { View } from '../../content/comparable-text.js'
import type { DiffLine, Words } from '../../content/text-diff.js'
import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { EnvironmentError, OptionError } from '../../model/errors.js'
import { keptContent, type Store, type Version } from '../../model/store.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { jsonText } from '../text/json.js'
import { humanBytes } from '../text/numbers.js'
import { parseDate } from '../text/time.js'

interface ChosenVersions {
  readonly before: Version
  readonly after: Version
}

/**
 * The versions to compare: the two newest, or from the one named to the
 * newest, or the two named. A version is named by its number, 1 being the
 * oldest that is kept, or by a time at which it was the current one.
 */
export function chosenVersions(
  versions: readonly Version[],
  [a, b]: readonly (string | undefined)[],
): ChosenVersions {
  if (versions.length < 2)
    throw new OptionError(
      'one-version',
      versions.length === 0
        ? 'no copy of this page is kept yet; it is not visited, or all visits failed'
        : 'only one copy of this page is kept: no change was seen yet',
    )
  const after = b === undefined ? versions.at(-1)! : named(b, versions)
  const before = a === undefined ? versions.at(-2)! : named(a, versions)
  return { before, after }
}

function named(text: string, versions: readonly Version[]): Version {
  if (/^\d{1,4}$/.test(text)) {
    const found = versions[Number(text) - 1]
    if (found !== undefined) return found
    throw new OptionError(
      'no-version',
      `there is no version ${text}; there are 1 to ${versions.length}, 1 being the oldest kept`,
    )
  }
  const at = parseDate(text, 'diff')
  const found = versions.findLast((each) => each.at <= at)
  if (found !== undefined) return found
  throw new OptionError('no-version', `no copy from ${text} or before is kept`)
}

/** Unchanged lines shown around a change. */
const context = 3

/** How lines and words are marked. */
interface Marks {
  line(kind: DiffLine['kind'], text: string): string
  word(kind: DiffLine['kind'], text: string): string
}

const plain: Marks = {
  line: (kind, text) => `${signs[kind]} ${text}`,
  word: (_, text) => text,
}

const signs = { same: ' ', removed: '-', added: '+' } as const
const colours = { same: '', removed: '\u001b[31m', added: '\u001b[32m' } as const
const reset = '\u001b[0m'

const coloured: Marks = {
  line: (kind, text) =>
    kind === 'same' ? `  ${text}` : `${colours[kind]}${signs[kind]} ${text}${reset}`,
  /** Bold and reversed inside the colour of the line. */
  word: (_, text) => `\u001b[1;7m${text}\u001b[22;27m`,
}

/** A comparison for a person: changes with some lines around them. */
export function diffText(
  lines: readonly DiffLine[],
  { colour }: { readonly colour: boolean },
): string {
  const marks = colour ? coloured : plain
  const near = nearChange(lines)
  let text = ''
  let skipped = false
  lines.forEach((line, i) => {
    if (near[i] !== true) {
      skipped = true
      return
    }
    if (skipped) text += '  ...\n'
    skipped = false
    text += `${marks.line(line.kind, lineText(line, marks))}\n`
  })
  return skipped && text !== '' ? `${text}  ...\n` : text
}

/** Words are marked only where some of the line stayed: else all of it would be. */
function lineText({ kind, words }: DiffLine, marks: Marks): string {
  const some = words.some((each) => !each.changed)
  const marked = (each: Words) =>
    each.changed && some && kind !== 'same' ? marks.word(kind, shown(each.text)) : shown(each.text)
  return words.map(marked).join('')
}

/** Which lines are a change or close to one. */
function nearChange(lines: readonly DiffLine[]): boolean[] {
  const near = new Array<boolean>(lines.length).fill(false)
  lines.forEach(({ kind }, i) => {
    if (kind === 'same') return
    for (let j = Math.max(0, i - context); j <= i + context && j < near.length; j++) near[j] = true
  })
  return near
}

type Mark = (kind: 'removed' | 'added', text: string) => string

const wordMark: Mark = (kind, text) => (kind === 'removed' ? `[-${text}-]` : `{+${text}+}`)
const colouredWordMark: Mark = (kind, text) => `${colours[kind]}${text}${reset}`

/**
 * A comparison with changed words in their place, `the [-old-]{+new+} text`; in
 * colours at a terminal. A line and the one that took its place are one line.
 */
export function wordsText(
  lines: readonly DiffLine[],
  { colour }: { readonly colour: boolean },
): string {
  const mark = colour ? colouredWordMark : wordMark
  const near = nearChange(lines)
  const written: string[] = []
  for (let i = 0; i < lines.length; ) {
    const old = run(lines, { kind: 'removed', from: i })
    const young = run(lines, { kind: 'added', from: i + old.length })
    for (let k = 0; k < Math.max(old.length, young.length); k++)
      written.push(oneLine(old[k]?.words ?? [], young[k]?.words ?? [], mark))
    i += old.length + young.length
    // At most one: what follows may be a change again.
    const same = lines[i]
    if (same?.kind !== 'same') continue
    if (near[i] === true) written.push(shown(same.text))
    i++
  }
  return written.map((line) => `${line}\n`).join('')
}

/** Lines of one kind, one after the other. */
function run(
  lines: readonly DiffLine[],
  { kind, from }: { readonly kind: DiffLine['kind']; readonly from: number },
): readonly DiffLine[] {
  let end = from
  while (lines[end]?.kind === kind) end++
  return lines.slice(from, end)
}

/** What stayed is in both lines, in the same order; what came is put after what went. */
function oneLine(old: readonly Words[], young: readonly Words[], mark: Mark): string {
  const marked = (kind: 'removed' | 'added', text: string) =>
    text === '' ? '' : mark(kind, shown(text))
  let text = ''
  let next = 0
  const come = () => {
    while (young[next]?.changed) text += marked('added', young[next++]!.text)
  }
  for (const part of old) {
    if (part.changed) {
      text += marked('removed', part.text)
      continue
    }
    come()
    text += shown(part.text)
    next++
  }
  come()
  return text
}

const options = [
  ['-w, --words', 'changed words in their place: [-old-]{+new+}'],
  ['--whole', 'compare all that a reader sees, with the title, whatever rules and masks say'],
  ['--raw', 'compare the sources, not the text'],
  ['--no-color', 'no colours at a terminal'],
] as const

type DiffFlags = FlagsOf<typeof options> & CrawlerFlags

/** A person waits for one page, and nobody else does. */
const limits = { threads: 1, time: 20, pdfTime: 30 }
/** The shortest way between texts takes time that grows with the square of this. */
const mostEdits = 5000

/** `revisit diff URL [A B]`: what changed between two copies of a page. */
export const diffCommand = storeCommand({
  description:
    "What changed between two copies of a page: the two newest, or from A to the newest, or from A to B. A copy is named by its number, 1 being the oldest that is kept, or by a time at which it was the current one. Shown is what was compared: without what the page's rules leave out and what is masked (▒ stands for it). Changed words are marked.",
  arguments: [
    ['<URL>', 'the address of the page'],
    ['[A]', 'a number or a time'],
    ['[B]', 'a number or a time'],
  ],
  options,
  async run(environment, [address, ...named], flags) {
    const view = chosenView(flags)
    const made = await configured(environment, flags)
    const compare = async (store: Store) => {
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
        environment.out.write(compared(what, { flags, colour }))
      } else if (found.kind === 'no-text') environment.out.write(binaryText(chosen, flags))
      else throw notCompared(found, view)
      return exitCode.done
    }
    return withStore(made, compare, { readOnly: true })
  },
})

function chosenView({ whole, raw }: DiffFlags): View {
  if (whole === true && raw === true)
    throw new OptionError('whole-and-raw', 'choose one of --whole and --raw')
  return raw === true ? 'source' : whole === true ? 'whole' : 'compared'
}

async function kept(version: Version, store: Store): Promise<KeptContent> {
  const content = await keptContent(store, version)
  if (content !== null) return content
  throw new EnvironmentError('no-content', 'this copy is no longer kept; choose another')
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
    return jsonText({ url, ...both, view, note, lines })
  }
  const head = `${shown(url)}\n--- ${humanTime(before.at)}\n+++ ${humanTime(after.at)}\n`
  if (note !== null) return `${head}${note}\n`
  return head + (flags.words === true ? wordsText : diffText)(lines, { colour })
}

function binaryText({ before, after }: ChosenVersions, { json }: DiffFlags): string {
  const same = before.digest === after.digest
  if (json === true) return jsonText({ before, after, same, lines: null })
  const sizes = `${humanBytes(before.bytes)} at ${humanTime(before.at)}, ${humanBytes(after.bytes)} at ${humanTime(after.at)}`
  return `No text to compare: ${sizes}; the bytes ${same ? 'are the same' : 'differ'}.\n`
}
