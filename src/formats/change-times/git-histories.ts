import { createHash } from 'node:crypto'
import type { RecordedChanges } from '../../model/history.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'
import type { GitCommit } from './git-log.js'

/** How often programs are run that write down what they find, longest first. */
const usual: readonly Seconds[] = [
  DAY,
  12 * HOUR,
  8 * HOUR,
  6 * HOUR,
  4 * HOUR,
  3 * HOUR,
  2 * HOUR,
  HOUR,
  30 * MINUTE,
  20 * MINUTE,
  15 * MINUTE,
  10 * MINUTE,
  5 * MINUTE,
]
/** Runs are late by a while, but not by any while. */
const widest = 2 * HOUR
/** Share of the times that must lie on the grid. */
const most = 0.75
/** A grid is known by so many of its steps, and may shift after about so many times. */
const fewestSteps = 20
const stretchSize = 100

/**
 * How often somebody polled who wrote down these times (ascending), if they lie
 * on a regular grid; else 0: they are the changes' own. On a grid of period P
 * are those times that fall into the same quarter of P, or the same two hours
 * where that is less, which may lie anywhere in P and is found anew for each
 * stretch of about 100 times, since schedules are moved. Three times in four
 * must be on it, and a stretch counts if it has 20 steps of the grid or more.
 * Of a scheduler's 5 minutes to a day, the longest period that passes is taken.
 * Times at random pass with 0.35. O(periods x times log times).
 */
export function pollCadence(times: readonly UnixSeconds[]): Seconds {
  if (times.length < fewestSteps) return 0
  return usual.find((period) => onGrid(times, period) >= most * times.length) ?? 0
}

function onGrid(times: readonly UnixSeconds[], period: Seconds): number {
  const stretches = Math.max(1, Math.round(times.length / stretchSize))
  let count = 0
  for (let i = 0; i < stretches; i++) {
    const from = Math.floor((i * times.length) / stretches)
    const to = Math.floor(((i + 1) * times.length) / stretches)
    const some = times.slice(from, to)
    const steps = new Set(some.map((at) => Math.floor(at / period)))
    if (steps.size >= fewestSteps) count += inBestWindow(some, period)
  }
  return count
}

/** The most times whose phases lie in one window, around the end of the period too. */
function inBestWindow(times: readonly UnixSeconds[], period: Seconds): number {
  const window = Math.min(period / 4, widest)
  const phases = times.map((at) => at % period).sort((a, b) => a - b)
  const size = phases.length
  let [best, next] = [0, 0]
  for (let first = 0; first < size; first++) {
    const end = phases[first]! + window
    while (next < first + size && unwound(phases, { next, period }) <= end) next++
    best = Math.max(best, next - first)
  }
  return best
}

function unwound(
  phases: readonly number[],
  { next, period }: { next: number; period: Seconds },
): number {
  return next < phases.length ? phases[next]! : phases[next - phases.length]! + period
}

/** A file's record, with the path it had. */
export interface GitPage extends RecordedChanges {
  readonly path: string
}

interface GitPagesOptions {
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
