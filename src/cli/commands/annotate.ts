import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import { type UnixSeconds, WEEK } from '../../model/units.js'
import {
  type AnnotateFolderOptions,
  annotateFolder,
  type FolderNotes,
  type PageNote,
  type PageOutcome,
} from '../../publish/annotate-folder.js'
import { addressesOf, visitsPast } from '../../publish/store-record.js'
import {
  type ChangeRecord,
  type CountReading,
  declaredChange,
  tagContent,
  weeklyCounts,
  weeksCompared,
} from '../../publish/tag.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode, type Progress } from '../environment.js'
import { keptUrl, listed } from '../page-selection.js'
import { jsonArray, jsonText } from '../text/json.js'
import { count, counted } from '../text/numbers.js'
import { columns, tableText } from '../text/table.js'
import { parseNow } from '../text/time.js'

const options = [
  ['--store', 'without FOLDER: print the tags of the pages that are watched'],
  [
    '--now <time>',
    'with --store: the present, for a past that was imported (default: the clock)',
    parseNow,
  ],
  ['--base <url>', 'take the past from the store; FOLDER is served under this address'],
  ['--dry-run', 'write nothing, show what would be written'],
  ['--print', 'write no page: print its path, a tab and its tag, and keep what was counted'],
  [
    '--weeks <count>',
    'whole weeks compared, and needed before a tag is written (default: 4)',
    count(1),
  ],
  ['--literal', "post the weekly count as it is, as the paper's rule has it"],
  ['--keep', 'leave tags that are there as they are'],
  ['--touch', 'give files that are written the time of now (they keep theirs)'],
] as const

type AnnotateFlags = FlagsOf<typeof options> & CrawlerFlags

/** `revisit annotate [FOLDER]`: what each page can say of its changes, written into it. */
export const annotateCommand = storeCommand({
  description:
    'Count the changes of each page of a site, week by week, and write into its head what crawlers can go by: <meta name="Change-Frequency" content="PERIODIC=7"> (Hattab). A page that never changed is STATIC; one with as many changes every week is PERIODIC, with the days between two; any other is nonuniform, with the days to the next. Nothing else in a file changes. What was counted is kept in FOLDER/.revisit-annotate.json: run it after each publication, or daily. With --base the changes are those that revisit run saw.',
  arguments: [['[FOLDER]', 'the folder of the site']],
  options,
  more: `Examples:
  revisit annotate public
  revisit annotate public --dry-run
  revisit annotate public --base https://example.org/
  revisit annotate --store --json

Exit codes: 0 done; 1 no page; 2 wrong options or a damaged record; 3 a file cannot be read or written`,
  run: (environment, [folder], flags) => annotate(environment, { folder, flags }),
})

interface Written {
  readonly notes: FolderNotes
  readonly flags: AnnotateFlags
  readonly weeks: number
  readonly folder: string
  readonly stopped: boolean
}

/** What was done, for a person or a program; what went wrong, to standard error. */
async function writeNotes(environment: Environment, written: Written): Promise<void> {
  const { notes, flags, weeks, folder, stopped } = written
  if (flags.json === true) {
    const { pages, links, problems } = notes
    environment.out.write(jsonText({ folder, weeks, stopped, links, problems, pages }))
  } else if (flags.print === true) printTags(environment, notes.pages)
  else if (flags.dryRun === true) writeTable(environment, notes.pages)
  tellProblems(environment, notes)
  const summary = summaryOf(written)
  if (flags.json === true || flags.print === true) environment.err.write(summary)
  else environment.out.write(summary)
  await environment.out.drained()
}

/** One line a page, for a script: its path, a tab, the content of its tag. */
function printTags({ out }: Environment, pages: readonly PageNote[]): void {
  for (const { path, tag } of pages) if (tag !== null) out.write(`${shown(path)}\t${tag}\n`)
}

function writeTable({ out }: Environment, pages: readonly PageNote[]): void {
  if (pages.length === 0) return
  const rows = pages.map((page) => [...tagCells(page.path, page), outcomeWords[page.outcome]])
  out.write(`${tableText({ columns: columns(...tagTitles, ''), rows }, out.columns)}\n`)
}

const tagTitles = ['page', 'tag', 'days with a change, by week', 'known since']

function tagCells(name: string, { tag, counts, since }: Omit<StoreTag, 'url'>): string[] {
  return [
    shown(name),
    tag ?? '-',
    counts?.join(' ') ?? '-',
    since === null ? '-' : humanTime(since),
  ]
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

function tellProblems({ err }: Environment, { pages, links, problems }: FolderNotes): void {
  for (const { path, problem } of [...problems, ...pages])
    if (problem !== undefined) err.write(`${shown(path)}: ${shown(problem)}\n`)
  if (links.length > 0) err.write(`${counted(links.length, 'link')} not followed\n`)
}

function summaryOf({ notes: { pages }, flags, weeks, stopped }: Written): string {
  if (pages.length === 0) return 'no pages: no file here ends in .html, .htm or .xhtml\n'
  const tallies = new Map<PageOutcome, number>()
  for (const { outcome } of pages) tallies.set(outcome, (tallies.get(outcome) ?? 0) + 1)
  const tallied = [...tallies].map(([outcome, count]) => `${count} ${wordsOf(outcome, weeks)}`)
  const nothing = flags.dryRun === true || flags.print === true ? ' (no page was written)' : ''
  return `${counted(pages.length, 'page')}: ${tallied.join(', ')}${nothing}${stopped ? '; stopped' : ''}\n`
}

function wordsOf(outcome: PageOutcome, weeks: number): string {
  return outcome === 'too-new'
    ? `not known for ${counted(weeks, 'whole week')}`
    : outcomeWords[outcome]
}

/** The past of a file, from the visits of the page that shows it. */
function pastInStore(
  made: Configured,
  { store, base, weeks }: { readonly store: Store; readonly base: string; readonly weeks: number },
): (path: string) => Promise<ChangeRecord | null> {
  const { collection } = made.config
  addressesOf('', { base })
  return async (path) => {
    for (const address of addressesOf(path, { base })) {
      const page = await store.getPage({ collection, url: keptUrl(made, address) })
      if (page !== null) return pastOf(store, { page, weeks, now: made.environment.now() })
    }
    return null
  }
}

async function pastOf(
  store: Store,
  {
    page,
    weeks,
    now,
  }: {
    readonly page: { readonly id: string }
    readonly weeks: number
    readonly now: UnixSeconds
  },
): Promise<ChangeRecord | null> {
  const visits = await store.visitsOf(page, { from: now - (weeks + 3) * WEEK })
  return visitsPast(visits, { now })
}

/** `revisit annotate --store`: the tag of each page that is watched. */
async function writeStoreTags(
  { environment, config }: Configured,
  options: {
    readonly store: Store
    readonly weeks: number
    readonly reading: CountReading
    readonly now: UnixSeconds
    readonly json: boolean
  },
): Promise<number> {
  const { store, weeks, reading, now, json } = options
  const rows: StoreTag[] = []
  const filter = { collection: config.collection }
  for await (const page of listed(store, { filter, sort: 'url' })) {
    const past = await pastOf(store, { page, weeks, now })
    const counts = past === null ? null : weeklyCounts(past, { now, weeks })
    const tag = counts === null ? null : tagContent(declaredChange(counts, { reading }))
    rows.push({ url: page.url, tag, counts, since: past?.since ?? null })
  }
  const { out } = environment
  const cells = rows.map((row) => tagCells(row.url, row))
  out.write(
    json
      ? jsonArray(rows)
      : tableText({ columns: columns(...tagTitles), rows: cells }, out.columns),
  )
  return rows.length === 0 ? exitCode.nothingLeft : exitCode.done
}

interface StoreTag {
  readonly url: string
  readonly tag: string | null
  readonly counts: readonly number[] | null
  readonly since: UnixSeconds | null
}

async function annotate(
  environment: Environment,
  { folder, flags }: { readonly folder: string | undefined; readonly flags: AnnotateFlags },
): Promise<number> {
  const fromStore = flags.store === true || flags.base !== undefined
  const { weeks = weeksCompared, now = environment.now() } = flags
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
  if (flags.now !== undefined && (folder !== undefined || !fromStore))
    throw new OptionError('bad-option', '--now goes with --store, without a folder')
  if (!fromStore) return onFolder(environment, { folder: folder!, flags, weeks })
  const made = await configured(environment, flags)
  const reading = flags.literal === true ? 'literal' : 'days'
  return withStore(
    made,
    (store) =>
      folder === undefined
        ? writeStoreTags(made, { store, weeks, reading, now, json: flags.json === true })
        : onFolder(environment, {
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

async function onFolder(environment: Environment, work: FolderWork): Promise<number> {
  const stop = new AbortController()
  const forget = environment.onInterrupt?.(() => stop.abort())
  let bar: Progress | undefined
  const progress = (done: number, total: number) => {
    bar ??= environment.progress({ label: 'pages', total, writes: false })
    bar.at(done)
  }
  try {
    const now = environment.now()
    const { signal } = stop
    const notes = await annotateFolder({ ...optionsOf(work), now, progress, signal })
    bar?.stop()
    await writeNotes(environment, { ...work, notes, stopped: signal.aborted })
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

/** A page that could not be read or written is a failure of its environment, not of the run. */
function codeOf({ pages, problems }: FolderNotes): number {
  const failed = problems.length > 0 || pages.some(({ outcome }) => outcome === 'failed')
  if (failed) return exitCode.environment
  return pages.length === 0 ? exitCode.nothingLeft : exitCode.done
}
