import { join } from 'node:path'
import { humanTime } from '../../model/duration.js'
import { EnvironmentError, InputError } from '../../model/errors.js'
import type { UnixSeconds } from '../../model/units.js'
import type { BulkEngine } from './engine.js'

/**
 * A folder of sums: Parquet files of periods, one after the other in time, and a
 * list of them, `sums-00000012.json`. The list with the highest number holds.
 * Each change writes new files and then the next list, whole and only where
 * nobody else wrote it: who is killed before leaves what was there.
 */
export interface SumsList {
  readonly version: 1
  /** Whether changed gaps are in bins. */
  readonly bins: boolean
  readonly periods: readonly SumsPeriod[]
}

/** Some days' visits in one row a page. */
export interface SumsPeriod {
  /** Times of the first and the last visit. */
  readonly from: UnixSeconds
  readonly to: UnixSeconds
  /** How many times these sums were merged with others: periods of one level are merged at last. */
  readonly level: number
  readonly rows: number
  readonly visits: number
  readonly changes: number
  readonly files: readonly string[]
}

/** Periods of one level that are merged into one of the next. */
const mergedAtOnce = 8

/**
 * The last periods to merge, once `period` is there too; none where there are
 * too few. What is merged grows eightfold from level to level, so that a day's
 * sums are written again once in eight days, in 64, in 512: adding a day costs
 * what the day has, whatever is there already.
 */
export function toMerge(periods: readonly SumsPeriod[]): readonly SumsPeriod[] {
  const level = periods.at(-1)?.level
  const first = periods.findLastIndex((each) => each.level !== level) + 1
  return periods.length - first >= mergedAtOnce ? periods.slice(first) : []
}

const listName = /^sums-(\d{8})\.json$/
const fileName = /^sums-(\d{8})-.*\.parquet(?:\..*)?$/
const numbered = (number: number) => `sums-${String(number).padStart(8, '0')}`

/** What a folder of sums holds at one time. */
export class SumsFolder {
  readonly path: string
  /** Null where there is none yet. */
  readonly list: SumsList | null
  readonly #engine: BulkEngine
  readonly #number: number

  private constructor(about: {
    engine: BulkEngine
    path: string
    list: SumsList | null
    number: number
  }) {
    this.#engine = about.engine
    this.path = about.path
    this.list = about.list
    this.#number = about.number
  }

  static async open(engine: BulkEngine, path: string): Promise<SumsFolder> {
    const numbers = (await engine.names(path)).flatMap((name) => listName.exec(name)?.[1] ?? [])
    if (numbers.length === 0) return new SumsFolder({ engine, path, list: null, number: 0 })
    const number = Math.max(...numbers.map(Number))
    const file = join(path, `${numbered(number)}.json`)
    return new SumsFolder({ engine, path, list: listOf(await engine.text(file), file), number })
  }

  get periods(): readonly SumsPeriod[] {
    return this.list?.periods ?? []
  }

  get files(): string[] {
    return this.periods.flatMap(({ files }) => files.map((file) => this.pathOf(file)))
  }

  pathOf(file: string): string {
    return join(this.path, file)
  }

  /** A name for a file of the next list. */
  newFile(what: string): string {
    return join(this.path, `${numbered(this.#number + 1)}-${what}.parquet`)
  }

  /** Refuses visits that are not all after those that are there. */
  checkAfter({ from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds }): void {
    const last = this.periods.at(-1)
    if (last === undefined || from > last.to) return
    const there = `${this.path} holds visits up to ${humanTime(last.to)}`
    const given = `the first of this log is at ${humanTime(from)}`
    throw new InputError(
      'not-after-sums',
      to <= last.to
        ? `${there}, and this log ends at ${humanTime(to)}: it was added already, or comes out of order; nothing was changed. Days are added once each, in order of time`
        : `${there}, and ${given}: the two overlap; nothing was changed. Give only visits after that time`,
    )
  }

  /** Makes this the list that holds; fails where another process was first. */
  async replace(list: SumsList): Promise<void> {
    const number = this.#number + 1
    const path = join(this.path, `${numbered(number)}.json`)
    if (!(await this.#engine.create(path, `${JSON.stringify(list, null, 1)}\n`))) throw this.#busy()
    await this.#clear(number, list)
  }

  /** Throws the error, or that another process was first, which removed what this one wrote. */
  async orBusy(error: unknown): Promise<never> {
    const next = `${numbered(this.#number + 1)}.json`
    throw (await this.#engine.names(this.path)).includes(next) ? this.#busy() : error
  }

  #busy(): EnvironmentError {
    return new EnvironmentError(
      'sums-busy',
      `another process added to ${this.path} at the same time; nothing was changed by this one: run it again`,
    )
  }

  /** Removes what no list names; that of the list before stays, for whoever is reading it. */
  async #clear(number: number, list: SumsList): Promise<void> {
    const used = new Set([...list.periods, ...this.periods].flatMap(({ files }) => files))
    const names = await this.#engine.names(this.path)
    const stale = names.filter((name) => {
      const listed = listName.exec(name)?.[1]
      if (listed !== undefined) return Number(listed) < number - 1
      const made = fileName.exec(name)?.[1]
      return made !== undefined && Number(made) <= number && !used.has(name)
    })
    await this.#engine.remove(stale.map((name) => join(this.path, name)))
  }
}

function listOf(text: string, file: string): SumsList {
  try {
    const list = JSON.parse(text) as SumsList
    if (list.version === 1 && Array.isArray(list.periods)) return list
  } catch {}
  throw new InputError(
    'bad-sums',
    `${file} is no list of sums that this version of revisit wrote; restore it, or make the sums anew`,
  )
}
