import { shown } from '../../../formats/index.js'
import { humanTime } from '../../../model/index.js'
import type { FolderNotes, PageNote, PageOutcome } from '../../../publish/index.js'
import { AlignedTable } from '../../text/aligned-table.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import type { AnnotateFlags } from './flags.js'

interface Written {
  readonly notes: FolderNotes
  readonly flags: AnnotateFlags
  readonly weeks: number
  readonly folder: string
  readonly stopped: boolean
}

/** What was done, for a person or a program; what went wrong, to standard error. */
export async function writeNotes(world: World, written: Written): Promise<void> {
  const { notes, flags, weeks, folder, stopped } = written
  if (flags.json === true) {
    const { pages, links, problems } = notes
    const head = JSON.stringify({ folder, weeks, stopped, links, problems }).slice(0, -1)
    world.out.write(
      `${head},"pages":[\n${pages.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`,
    )
  } else if (flags.print === true) printTags(world, notes.pages)
  else if (flags.dryRun === true) writeTable(world, notes.pages)
  tellProblems(world, notes)
  const summary = summaryOf(written)
  if (flags.json === true || flags.print === true) world.err.write(summary)
  else world.out.write(summary)
  await world.out.drained()
}

/** One line a page, for a script: its path, a tab, the content of its tag. */
function printTags({ out }: World, pages: readonly PageNote[]): void {
  for (const { path, tag } of pages) if (tag !== null) out.write(`${shown(path)}\t${tag}\n`)
}

function writeTable({ out }: World, pages: readonly PageNote[]): void {
  if (pages.length === 0) return
  const titles = ['page', 'tag', 'days with a change, by week', 'known since', '']
  const table = new AlignedTable(
    titles.map((title) => ({ title, align: 'left' as const })),
    { write: (text) => out.write(text), room: out.columns },
  )
  for (const { path, tag, counts, since, outcome } of pages)
    table.row([
      shown(path),
      tag ?? '-',
      counts?.join(' ') ?? '-',
      since === null ? '-' : humanTime(since),
      outcomeWords[outcome],
    ])
  table.end()
  out.write('\n')
}

const outcomeWords: Readonly<Record<PageOutcome, string>> = {
  inserted: 'tag inserted',
  replaced: 'tag replaced',
  unchanged: 'right already',
  kept: 'tag kept as it was',
  'too-new': 'not known for long enough',
  unknown: 'not in the store, or not visited lately',
  fragment: 'a piece of a page, left alone',
  encoding: 'not readable as ASCII (UTF-16), left alone',
  failed: 'could not be read or written',
}

function tellProblems({ err }: World, { pages, links, problems }: FolderNotes): void {
  for (const { path, problem } of [...problems, ...pages])
    if (problem !== undefined) err.write(`${shown(path)}: ${shown(problem)}\n`)
  if (links.length > 0) err.write(`${counted(links.length, 'link')} not followed\n`)
}

function summaryOf({ notes: { pages }, flags, weeks, stopped }: Written): string {
  if (pages.length === 0) return 'no pages: no file here ends in .html, .htm or .xhtml\n'
  const tallies = new Map<PageOutcome, number>()
  for (const { outcome } of pages) tallies.set(outcome, (tallies.get(outcome) ?? 0) + 1)
  const told = [...tallies].map(([outcome, count]) => `${count} ${wordsOf(outcome, weeks)}`)
  const nothing = flags.dryRun === true || flags.print === true ? ' (no page was written)' : ''
  return `${counted(pages.length, 'page')}: ${told.join(', ')}${nothing}${stopped ? '; stopped' : ''}\n`
}

function wordsOf(outcome: PageOutcome, weeks: number): string {
  return outcome === 'too-new'
    ? `not known for ${counted(weeks, 'whole week')}`
    : outcomeWords[outcome]
}
