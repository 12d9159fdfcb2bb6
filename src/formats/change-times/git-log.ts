import { InputError } from '../../model/errors.js'
import type { UnixSeconds } from '../../model/units.js'

/** What a commit did to a file, against its first parent. */
export interface GitChange {
  readonly path: string
  readonly kind: 'added' | 'changed' | 'deleted'
}

export interface GitCommit {
  /** When it was put where it is (the committer's date), not when it was written. */
  readonly at: UnixSeconds
  /** Whoever wrote it; only to tell one from another. */
  readonly author: string
  readonly changes: readonly GitChange[]
}

/**
 * What `git log` must be asked for `gitCommits` to read it: oldest first, along
 * the first parents, so that a merge is the one change that its branch saw;
 * renames are a file that goes and another that comes. Settings of the user
 * that would write other things between are turned off.
 */
export const gitLogOptions: readonly string[] = [
  '--reverse',
  '--first-parent',
  '-m',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-show-signature',
  '--no-notes',
  '--no-color',
  '--no-mailmap',
  '-z',
  '--format=%x01%ct %ae',
]

const submodule = '160000'

/** The commits of a log, read as it comes. Mode changes and submodules are no changes of a file's content. */
export async function* gitCommits(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<GitCommit> {
  let commit: { at: number; author: string; changes: GitChange[] } | null = null
  let about: string | null = null
  for await (const token of nulTerminated(chunks)) {
    if (about !== null) {
      const kind = kindOf(about)
      about = null
      if (kind !== null) commit!.changes.push({ path: token, kind })
      continue
    }
    const text = token.startsWith('\n') ? token.slice(1) : token
    if (text.startsWith('\u0001')) {
      if (commit !== null) yield commit
      commit = { ...head(text.slice(1)), changes: [] }
    } else if (text.startsWith(':') && commit !== null) about = text
    else if (text !== '') throw unread(text)
  }
  if (commit !== null) yield commit
}

function head(text: string): { at: UnixSeconds; author: string } {
  const space = text.indexOf(' ')
  const at = Number(text.slice(0, space))
  if (space < 1 || !Number.isFinite(at)) throw unread(text)
  return { at, author: text.slice(space + 1) }
}

/** `:100644 100644 <before> <after> M` */
function kindOf(text: string): GitChange['kind'] | null {
  const [before, after, oldContent, newContent, status] = text.slice(1).split(' ')
  if (status === undefined) throw unread(text)
  const was = status !== 'A' && before !== submodule
  const is = status !== 'D' && after !== submodule
  if (was && is) return oldContent === newContent ? null : 'changed'
  if (is) return 'added'
  return was ? 'deleted' : null
}

function unread(text: string): InputError {
  return new InputError(
    'bad-git-log',
    `git log wrote ${JSON.stringify(text.slice(0, 80))}, which is no commit and no file; is this git older than 2.31?`,
  )
}

async function* nulTerminated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\0')
    rest = parts.pop()!
    yield* parts
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield rest
}
