import { createHash } from 'node:crypto'
import type { RecordedChanges, Seconds, UnixSeconds } from '../../model/index.js'
import type { GitCommit } from './git-log.js'
import { pollCadence } from './poll-cadence.js'

/** A file's record, with the path it had. */
export interface GitPage extends RecordedChanges {
  readonly path: string
}

export interface GitPagesOptions {
  readonly source: string
  /** Only what happened from then on; pages from before begin with it. */
  readonly since?: UnixSeconds | undefined
  /** The end of every record: the newest commit, or earlier. */
  readonly until: UnixSeconds
  /** At most so many pages: those whose ids have the least SHA-1, which prefers no kind of page. */
  readonly maxPages?: number | undefined
}

/** A file from the commit that brought it to the one that took it away. */
interface Life {
  readonly path: string
  readonly times: UnixSeconds[]
  /** Who made each of them. */
  readonly authors: string[]
  deleted: UnixSeconds | null
}

/**
 * When the files of a repository changed, gathered commit by commit, oldest
 * first. A file that is deleted ends; one that comes back is another page.
 * Commits of one author that lie on a regular grid are those of a program
 * that polls (`pollCadence`); a page has the cadence of whoever
 * made most of its changes.
 */
export class GitHistories {
  commits = 0
  readonly #lives: Life[] = []
  readonly #open = new Map<string, Life>()
  readonly #byAuthor = new Map<string, UnixSeconds[]>()

  take({ at, author, changes }: GitCommit): void {
    this.commits++
    if (changes.length === 0) return
    const own = this.#byAuthor.get(author) ?? []
    if (own.length === 0) this.#byAuthor.set(author, own)
    own.push(at)
    for (const { path, kind } of changes) {
      const life = this.#open.get(path)
      if (kind === 'deleted') {
        if (life !== undefined) life.deleted = at
        this.#open.delete(path)
      } else if (life === undefined) this.#begin(path, { at, author })
      else {
        life.times.push(at)
        life.authors.push(author)
      }
    }
  }

  /** How often each program among the authors polled; 0 for people. */
  cadences(): ReadonlyMap<string, Seconds> {
    return new Map(
      [...this.#byAuthor].map(([author, times]) => [author, pollCadence(ascending(times))]),
    )
  }

  pages({ source, since = -Infinity, until, maxPages }: GitPagesOptions): GitPage[] {
    const cadences = this.cadences()
    const taken = new Set<string>()
    const found: GitPage[] = []
    for (const life of this.#lives) {
      const id = unused(`${source}/${life.path}`, taken)
      const record = recordOf(life, { since, until })
      if (record === null) continue
      found.push({ id, source, path: life.path, cadence: cadenceOf(life, cadences), ...record })
    }
    return maxPages === undefined || found.length <= maxPages ? found : sample(found, maxPages)
  }

  #begin(path: string, { at, author }: { at: UnixSeconds; author: string }): void {
    const life: Life = { path, times: [at], authors: [author], deleted: null }
    this.#lives.push(life)
    this.#open.set(path, life)
  }
}

/** Commits of one second are one change, and a clock that ran backwards is put in order. */
function ascending(times: readonly UnixSeconds[]): UnixSeconds[] {
  return [...new Set(times)].sort((a, b) => a - b)
}

/** Null where no time is left. */
function recordOf(
  life: Life,
  cut: { since: UnixSeconds; until: UnixSeconds },
): Pick<RecordedChanges, 'from' | 'until' | 'changes'> | null {
  const times = ascending(life.times)
  const from = Math.max(times[0]!, cut.since)
  const until = Math.min(life.deleted ?? Infinity, cut.until)
  if (!(until > from)) return null
  const changes = Float64Array.from(times.filter((at) => at > from && at <= until))
  return { from, until, changes }
}

function cadenceOf({ times, authors }: Life, cadences: ReadonlyMap<string, Seconds>): Seconds {
  // The first time is no change; a page without any is whoever's it is.
  const makers = times.length > 1 ? authors.slice(1) : authors
  const counts = new Map<Seconds, number>()
  for (const author of makers) {
    const cadence = cadences.get(author) ?? 0
    counts.set(cadence, (counts.get(cadence) ?? 0) + 1)
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

function unused(id: string, taken: Set<string>): string {
  let free = id
  for (let number = 2; taken.has(free); number++) free = `${id}~${number}`
  taken.add(free)
  return free
}

function sample(pages: readonly GitPage[], most: number): GitPage[] {
  const key = (page: GitPage) => createHash('sha1').update(page.id).digest('hex')
  const keyed = pages.map((page, place) => ({ page, place, key: key(page) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed
    .slice(0, most)
    .sort((a, b) => a.place - b.place)
    .map(({ page }) => page)
}
