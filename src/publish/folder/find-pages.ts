import type { Dirent } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR, type UnixSeconds } from '../../model/index.js'
import { partialName } from './replace-file.js'

/** Pages of a folder, by their path in it. */
export interface FoundPages {
  readonly pages: readonly string[]
  /** Links, which are not followed: what they lead to may lie anywhere. */
  readonly links: readonly string[]
  /** Folders that cannot be read, and why. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly problem: string }>
}

const pageEnding = /\.(?:html?|xhtml)$/i

/**
 * All pages below a folder, in order. Hidden files and folders and
 * node_modules are none. Takes away what a run that was killed left behind,
 * an hour after.
 */
export async function findPages(
  folder: string,
  { now }: { readonly now: UnixSeconds },
): Promise<FoundPages> {
  const found = { pages: [] as string[], links: [] as string[], problems: [] as Problem[] }
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const path = at
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error) => {
      found.problems.push({ path: path === '' ? '.' : path, problem: (error as Error).message })
      return []
    })
    for (const entry of entries) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      if (partialName.test(entry.name)) await removeOld(join(folder, name), now)
      else sort(entry, { name, found, waiting })
    }
  }
  found.pages.sort()
  return found
}

type Problem = FoundPages['problems'][number]

function sort(
  entry: Dirent,
  {
    name,
    found,
    waiting,
  }: { name: string; found: { pages: string[]; links: string[] }; waiting: string[] },
): void {
  const hidden = entry.name.startsWith('.') || entry.name === 'node_modules'
  if (hidden) return
  if (entry.isDirectory()) waiting.push(name)
  else if (entry.isSymbolicLink()) found.links.push(name)
  else if (entry.isFile() && pageEnding.test(name)) found.pages.push(name)
}

async function removeOld(path: string, now: UnixSeconds): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found !== null && found.mtimeMs / 1000 < now - HOUR) await rm(path, { force: true })
}
