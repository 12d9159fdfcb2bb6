import { basename } from 'node:path'
import { GitHistories } from '../../formats/change-times/git-histories.js'
import { gitCommits, gitLogOptions } from '../../formats/change-times/git-log.js'
import { EnvironmentError, InputError, OptionError, type UnixSeconds } from '../../model/index.js'
import type { World } from '../world.js'

/** What was read of a repository. */
export interface Repository {
  /** Its own name, not that of the folder it was cloned to, where it knows one. */
  readonly name: string
  readonly histories: GitHistories
  /** When the branch's newest commit was made, whatever it touches: until then all files were as they were. */
  readonly newest: UnixSeconds
  /** Its oldest commits are not there. */
  readonly isShallow: boolean
}

export interface RepositoryOptions {
  /** Undefined: what is checked out. */
  readonly branch: string | undefined
  /** Globs of paths, as git reads them; all where there are none. */
  readonly include: readonly string[]
}

/** Reads all commits of a branch along its first parents, as git writes them. */
export async function readRepository(
  { git }: World,
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
