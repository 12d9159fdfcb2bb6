import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { GitHistories, type GitPage } from '../../formats/change-times/git-histories.js'
import { gitCommits, gitLogOptions } from '../../formats/change-times/git-log.js'
import { writeRecordedChanges } from '../../formats/change-times/recorded-changes.js'
import { humanDuration, humanTime } from '../../model/duration.js'
import { EnvironmentError, InputError, OptionError } from '../../model/errors.js'
import type { UnixSeconds } from '../../model/units.js'
import { type CommandGroup, type FlagsOf, plainCommand } from '../command.js'
import { type Environment, exitCode, exitCodeHelp } from '../environment.js'
import { answer } from '../text/json.js'
import { count, counted } from '../text/numbers.js'
import { parseDate } from '../text/time.js'

/** What was read of a repository. */
interface Repository {
  /** Its own name, not that of the folder it was cloned to, where it knows one. */
  readonly name: string
  readonly histories: GitHistories
  /** When the branch's newest commit was made, whatever it touches: until then all files were as they were. */
  readonly newest: UnixSeconds
  /** Its oldest commits are not there. */
  readonly isShallow: boolean
}

interface RepositoryOptions {
  /** Undefined: what is checked out. */
  readonly branch: string | undefined
  /** Globs of paths, as git reads them; all where there are none. */
  readonly include: readonly string[]
}

/** Reads all commits of a branch along its first parents, as git writes them. */
async function readRepository(
  { git }: Environment,
  folder: string,
  { branch, include }: RepositoryOptions,
): Promise<Repository> {
  const asked = (...args: string[]) => git(['-C', folder, ...args])
  const words = async (...args: string[]) => (await text(asked(...args))).trim()
  const known = await words('rev-parse', '--absolute-git-dir').catch((cause) => {
    throw isGitFault(cause)
      ? new OptionError('no-repository', `${folder} is no git repository: ${cause.message}`, {
          cause,
        })
      : cause
  })
  const commit = await tip(words, { folder, branch })
  const histories = new GitHistories()
  const paths = include.map((glob) => `:(top,glob)${glob}`)
  const log = asked('log', ...gitLogOptions, commit, '--', ...paths)
  for await (const each of gitCommits(log)) histories.take(each)
  if (histories.commits === 0)
    throw new InputError('no-history', `no commit of ${folder} touches ${include.join(' or ')}`)
  return {
    name: await nameOf(words, known),
    histories,
    newest: Number(await words('log', '-1', '--no-show-signature', '--format=%ct', commit)),
    isShallow: (await words('rev-parse', '--is-shallow-repository')) === 'true',
  }
}

type Words = (...args: string[]) => Promise<string>

async function tip(
  words: Words,
  { folder, branch }: { folder: string; branch: string | undefined },
): Promise<string> {
  const name = branch ?? 'HEAD'
  try {
    return await words('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  } catch (cause) {
    if (!isGitFault(cause)) throw cause
    throw branch === undefined
      ? new InputError('no-history', `${folder} has no commits yet`, { cause })
      : new OptionError('no-branch', `${folder} has no branch "${branch}"`, { cause })
  }
}

/** By where it was cloned from, else by its folder. */
async function nameOf(words: Words, gitFolder: string): Promise<string> {
  const remote = await words('config', '--get', 'remote.origin.url').catch(() => '')
  const named =
    remote
      .replace(/[/\\]+$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? ''
  const top = await words('rev-parse', '--show-toplevel').catch(() => '')
  const found = named || basename(top) || basename(gitFolder)
  return found.replace(/\.git$/, '') || 'repository'
}

function isGitFault(error: unknown): error is EnvironmentError {
  return error instanceof EnvironmentError && error.code === 'git-failed'
}

async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  let found = ''
  for await (const chunk of chunks) found += decoder.decode(chunk, { stream: true })
  return found + decoder.decode()
}

const options = [
  ['--out <folder>', 'where updates.csv.gz and objects.csv go (default: histories)'],
  [
    '--include <glob>',
    "only these paths, such as 'docs/**' or '**/*.md'; again for more (default: all)",
    'again',
  ],
  ['--since <time>', 'from then on; files from before begin with it', parseDate],
  ['--until <time>', 'up to then (default: the newest commit)', parseDate],
  [
    '--max-pages <count>',
    'of each repository at most so many, chosen by a hash of the path',
    count(1),
  ],
  ['--branch <name>', 'a branch, tag or commit (default: what is checked out)'],
  ['-j, --json', 'what was written, as JSON'],
] as const

type FromGitFlags = FlagsOf<typeof options>

const treatment = `The branch is followed along its first parents: a merge is one change of each file that it brought, at the time of the merge. Times are the committer's. Commits of one second are one change, and so is a commit that undoes another. Changed rights and submodules do not count.

A file's record begins with the commit that brought it, which is no change, and ends with the one that took it away, or with the branch's newest. A renamed file is a new page, and so is one that comes back.

Many repositories are written by a program that polls. An author whose commits lie on a regular grid (three in four within the same quarter of a period of 5 minutes to a day, at most two hours wide, in 20 steps or more) is taken for one: pages that such an author changes most get its period as cadence_s, and evaluate spreads their changes back over it.

Of all other pages the times are taken as exact.`

const examples = `Examples:
  revisit histories from-git . --out mine
  revisit histories from-git ../wiki ../handbook --include '**/*.md' --since 2024-01-01
  revisit evaluate --histories mine/updates.csv.gz --objects mine/objects.csv`

/** `revisit histories from-git REPO...`: change histories for `evaluate`. */
export const historiesCommand: CommandGroup = {
  description: 'Makes recorded change histories, for revisit evaluate.',
  subcommands: {
    'from-git': {
      summary: 'change histories from the commits of git repositories',
      command: plainCommand({
        description:
          'Makes change histories for revisit evaluate from the commits of any git repository: each file is a page, each commit that changes its content a change. Needs the program git.',
        arguments: [
          ['<repo...>', 'folders of repositories (clones, bare ones too); each is a source'],
        ],
        options,
        more: `${treatment}\n\n${examples}\n${exitCodeHelp}`,
        run: (environment, [repos], flags) => fromGit(environment, { repos, flags }),
      }),
    },
  },
}

/** What one repository gave. */
interface Found {
  readonly source: string
  readonly commits: number
  readonly pages: readonly GitPage[]
  readonly isShallow: boolean
}

async function fromGit(
  environment: Environment,
  { repos, flags }: { readonly repos: readonly string[]; readonly flags: FromGitFlags },
): Promise<number> {
  const { since, maxPages } = flags
  if (since !== undefined && since >= (flags.until ?? Infinity))
    throw new OptionError('bad-span', '--since is not before --until')
  const folder = flags.out ?? 'histories'
  const files = { updates: join(folder, 'updates.csv.gz'), objects: join(folder, 'objects.csv') }
  // A folder that is made at the end holds nothing to replace.
  if ((await environment.found(folder)) !== undefined)
    for (const file of Object.values(files)) await environment.mayReplace(file)
  const found: Found[] = []
  for (const repo of repos) {
    const options = { branch: flags.branch, include: flags.include ?? [] }
    const { name, histories, newest, isShallow } = await readRepository(environment, repo, options)
    const source = unused(name, found)
    const until = Math.min(newest, flags.until ?? Infinity)
    const pages = histories.pages({ source, since, until, maxPages })
    found.push({ source, commits: histories.commits, pages, isShallow })
  }
  const all = found.flatMap(({ pages }) => pages)
  if (all.length === 0)
    throw new InputError(
      'no-history',
      'no file was there for any time: its first commit is its last, or lies outside --since and --until',
    )
  const { updates, objects } = writeRecordedChanges(all)
  await environment.makeFolder(folder)
  await environment.save(files.updates, gzipSync(updates))
  await environment.save(files.objects, objects)
  answer(environment, {
    json: flags.json,
    record: { files, sources: found.map(recordOf) },
    text: summary(found, files),
  })
  for (const each of found)
    if (each.isShallow)
      environment.err.write(
        `revisit: ${each.source} is a shallow clone: what was there at its first commit seems to begin with it; git fetch --unshallow brings the rest\n`,
      )
  return exitCode.done
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
