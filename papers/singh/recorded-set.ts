import type { UpdateSeries } from 'revisit/estimators'
import { DAY, type RecordedChanges } from 'revisit/model'
import { type PageSet, seriesOf } from './page-set.js'

/** The paper's crawl lasted from 12 April to 12 June 2006. */
const crawlDays = 62

/** The real histories as a daily crawl sees them: one update a day at most, at noon of its day. */
export function wholeHistories(histories: readonly RecordedChanges[]): PageSet {
  return {
    name: 'real histories',
    about: `${histories.length.toLocaleString('en')} real pages, their whole histories by the day`,
    pages: histories.length,
    *series() {
      for (const history of histories) {
        const { updated, days } = byDay(history)
        yield ofDays(updated, { from: 0, days })
      }
    },
  }
}

/**
 * The same pages, each looked at for two months at a time as the paper's were:
 * every whole stretch of 62 days that saw an update counts as a page.
 */
export function twoMonthCrawls(histories: readonly RecordedChanges[]): PageSet {
  const stretches = [...crawled(histories)]
  return {
    name: 'real histories, two months',
    about: `${stretches.length.toLocaleString('en')} crawls of ${crawlDays} days, cut from the real histories`,
    pages: stretches.length,
    series: () => stretches,
  }
}

function* crawled(histories: readonly RecordedChanges[]): Generator<UpdateSeries> {
  for (const history of histories) {
    const { updated, days } = byDay(history)
    for (let from = 0, next = 0; from + crawlDays <= days; from += crawlDays) {
      const first = next
      while (next < updated.length && updated[next]! < from + crawlDays) next++
      if (next > first) yield ofDays(updated.slice(first, next), { from, days: crawlDays })
    }
  }
}

/** Whole days since the record began on which the page changed. */
function byDay({ from, until, changes }: RecordedChanges): { updated: number[]; days: number } {
  const updated: number[] = []
  for (const change of changes) {
    const day = Math.ceil((change - from) / DAY) - 1
    if (day !== updated.at(-1)) updated.push(day)
  }
  return { updated, days: Math.ceil((until - from) / DAY) }
}

function ofDays(
  updated: readonly number[],
  { from, days }: { from: number; days: number },
): UpdateSeries {
  const times = updated.map((day) => (day - from + 0.5) * DAY)
  return seriesOf(times, { until: days * DAY, unit: DAY })
}
