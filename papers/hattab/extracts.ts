/** One page day by day, as Tables 1 and 2 print it: `1` for yes, weeks parted by a space. */
export interface Extract {
  readonly changed: string
  readonly crawled: string
  readonly fresh: string
}

export interface ReplayedExtract {
  readonly fresh: string
  readonly freshDays: number
  readonly crawls: number
  /** Crawls of a page whose copy was fresh already. */
  readonly needless: number
}

/**
 * Replays an extract by the paper's own rules: a crawl makes the copy fresh at
 * the end of its day, a change without a crawl makes it stale, and a crawl is
 * needless if nothing had changed since the one before.
 */
export function replayExtract({ changed, crawled }: Omit<Extract, 'fresh'>): ReplayedExtract {
  const visits = days(crawled)
  let copyFresh = false
  let crawls = 0
  let needless = 0
  const fresh = days(changed).map((change, day) => {
    const upToDate = copyFresh && !change
    if (visits[day]) {
      crawls++
      if (upToDate) needless++
    }
    copyFresh = visits[day] === true || upToDate
    return copyFresh
  })
  return { fresh: written(fresh), freshDays: count(fresh), crawls, needless }
}

/** How many days of a row are marked. */
export function marked(row: string): number {
  return count(days(row))
}

function days(row: string): boolean[] {
  return [...row.replaceAll(' ', '')].map((sign) => sign === '1')
}

function count(list: readonly boolean[]): number {
  return list.filter((each) => each).length
}

function written(list: readonly boolean[]): string {
  const signs = list.map((each) => (each ? '1' : '0')).join('')
  return signs.match(/.{1,7}/g)!.join(' ')
}
