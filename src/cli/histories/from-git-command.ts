import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import type { GitPage } from '../../formats/change-times/git-histories.js'
import { writeRecordedChanges } from '../../formats/change-times/write-recorded-changes.js'
import {
  humanDuration,
  humanTime,
  InputError,
  OptionError,
  type UnixSeconds,
} from '../../model/index.js'
import { exitCode, exitCodeHelp } from '../exit-code.js'
import { counted } from '../text/counted.js'
import { parseCount } from '../text/parse-count.js'
import { parseDate } from '../text/parse-time.js'
import type { World } from '../world.js'
import { readRepository } from './read-repository.js'

/** What commander hands over. */
export interface FromGitFlags {
  readonly out?: string
  readonly include?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly maxPages?: string
  readonly branch?: string
  readonly json?: boolean
}

/** What one repository gave. */
interface Found {
  readonly source: string
  readonly commits: number
  readonly pages: readonly GitPage[]
  readonly isShallow: boolean
}

/** `revisit histories from-git REPO...`: change histories of a repository's files, for `evaluate`. Gives the exit code. */
export async function fromGitCommand(
  world: World,
  { repos, flags }: { readonly repos: readonly string[]; readonly flags: FromGitFlags },
): Promise<number> {
  const span = spanOf(flags)
  const maxPages =
    flags.maxPages === undefined
      ? undefined
      : parseCount(flags.maxPages, { option: '--max-pages', from: 1 })
  const folder = flags.out ?? 'histories'
  const files = { updates: join(folder, 'updates.csv.gz'), objects: join(folder, 'objects.csv') }
  for (const file of Object.values(files)) await world.mayReplace(file)
  const found: Found[] = []
  for (const repo of repos) {
    const options = { branch: flags.branch, include: flags.include ?? [] }
    const { name, histories, newest, isShallow } = await readRepository(world, repo, options)
    const source = unused(name, found)
    const until = Math.min(newest, span.until ?? Infinity)
    const pages = histories.pages({ source, since: span.since, until, maxPages })
    found.push({ source, commits: histories.commits, pages, isShallow })
  }
  const all = found.flatMap(({ pages }) => pages)
  if (all.length === 0)
    throw new InputError(
      'no-history',
      'no file was there for any time: its first commit is its last, or lies outside --since and --until',
    )
  const { updates, objects } = writeRecordedChanges(all)
  await world.makeFolder(folder)
  await world.save(files.updates, gzipSync(updates))
  await world.save(files.objects, objects)
  if (flags.json === true)
    world.out.write(`${JSON.stringify({ files, sources: found.map(recordOf) })}\n`)
  else world.out.write(summary(found, files))
  for (const each of found)
    if (each.isShallow)
      world.err.write(
        `revisit: ${each.source} is a shallow clone: what was there at its first commit seems to begin with it; git fetch --unshallow brings the rest\n`,
      )
  return exitCode.done
}

function spanOf({ since, until }: FromGitFlags): { since?: UnixSeconds; until?: UnixSeconds } {
  const span = {
    ...(since === undefined ? {} : { since: parseDate(since, { option: '--since', zone: 0 }) }),
    ...(until === undefined ? {} : { until: parseDate(until, { option: '--until', zone: 0 }) }),
  }
  if (span.since !== undefined && span.until !== undefined && span.since >= span.until)
    throw new OptionError('bad-span', `--since ${since} is not before --until ${until}`)
  return span
}

/** Two repositories of one name are two sources. */
function unused(name: string, found: readonly Found[]): string {
  let free = name
  for (let number = 2; found.some(({ source }) => source === free); number++)
    free = `${name}~${number}`
  return free
}

function recordOf({ source, commits, pages, isShallow }: Found) {
  return {
    source,
    commits,
    pages: pages.length,
    changes: pages.reduce((sum, { changes }) => sum + changes.length, 0),
    from: pages.reduce((least, { from }) => Math.min(least, from), Infinity),
    until: pages.reduce((most, { until }) => Math.max(most, until), -Infinity),
    polledPages: pages.filter(({ cadence }) => cadence > 0).length,
    cadences: [...new Set(pages.map(({ cadence }) => cadence))].sort((a, b) => a - b),
    isShallow,
  }
}

function summary(found: readonly Found[], files: { updates: string; objects: string }): string {
  const lines = found
    .filter(({ pages }) => pages.length > 0)
    .map((each) => {
      const { source, commits, pages, changes, from, until, polledPages, cadences } = recordOf(each)
      const polled = cadences.filter((cadence) => cadence > 0).map(humanDuration)
      const times =
        polledPages === 0
          ? 'exact times'
          : `${counted(polledPages, 'page')} polled every ${polled.join(' or ')}`
      return `${source}: ${counted(commits, 'commit')}, ${counted(pages, 'page')}, ${counted(changes, 'change')}, ${humanTime(from)} to ${humanTime(until)}; ${times}\n`
    })
  const next = `revisit evaluate --histories ${files.updates} --objects ${files.objects}`
  return `${lines.join('')}Wrote ${files.updates} and ${files.objects}. Next:\n  ${next}\n`
}

/** The options and the help of `revisit histories from-git`. */
export function describeFromGit(command: Command): Command {
  return command
    .summary('change histories from the commits of git repositories')
    .description(
      'Makes change histories for revisit evaluate from the commits of any git repository: each\nfile is a page, each commit that changes its content a change. Needs the program git.',
    )
    .argument('<repo...>', 'folders of repositories (clones, bare ones too); each is a source')
    .option('--out <folder>', 'where updates.csv.gz and objects.csv go (default: histories)')
    .option(
      '--include <glob>',
      "only these paths, such as 'docs/**' or '**/*.md'; again for more (default: all)",
      (glob: string, before: readonly string[] = []) => [...before, glob],
    )
    .option('--since <time>', 'from then on; files from before begin with it')
    .option('--until <time>', 'up to then (default: the newest commit)')
    .option(
      '--max-pages <count>',
      'of each repository at most so many, chosen by a hash of the path',
    )
    .option('--branch <name>', 'a branch, tag or commit (default: what is checked out)')
    .option('-j, --json', 'what was written, as JSON')
    .addHelpText('after', `${treatment}\n${examples}\n${exitCodeHelp}`)
}

const treatment = `
What counts:
  The branch is followed along its first parents: a merge is one change of each file that it
  brought, at the time of the merge. Times are the committer's. Commits of one second are one
  change, and so is a commit that undoes another. Changed rights and submodules do not count.
  A file's record begins with the commit that brought it, which is no change, and ends with the
  one that took it away, or with the branch's newest. A renamed file is a new page, and so is
  one that comes back.
  Many repositories are written by a program that polls. An author whose commits
  lie on a regular grid (three in four within the same quarter of a period of 5 minutes to a
  day, at most two hours wide, in 20 steps or more) is taken for one: pages that such an author
  changes most get its period as cadence_s, and evaluate spreads their changes back over it.
  Of all other pages the times are taken as exact.`

const examples = `
Examples:
  revisit histories from-git . --out mine
  revisit histories from-git ../wiki ../handbook --include '**/*.md' --since 2024-01-01
  revisit evaluate --histories mine/updates.csv.gz --objects mine/objects.csv`
