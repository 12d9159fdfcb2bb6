import { PageReplay, type ReplayCollection, replayCollection } from 'revisit/lab'
import { DAY, type RecordedChanges, YEAR } from 'revisit/model'
import { quantile, Random } from 'revisit/numeric'
import { type ScenarioName, scenarios } from './scenarios.js'
import { estimatePage } from './visit-page.js'

/** How good a scenario's estimates are on real pages. */
export interface RealPoint {
  readonly scenario: ScenarioName
  readonly pages: string
  readonly count: number
  /** Quartiles of estimate / true mean change period. */
  readonly lower: number
  readonly median: number
  readonly upper: number
  /** Share of pages whose estimate is within a factor of 2 of the truth. */
  readonly withinTwo: number
  readonly visits: number
}

/** Fewer changes than this in the year tell too little of a page's true period. */
export const fewestChanges = 5

/**
 * A year of each real page, visited as the six scenarios say. The truth is the
 * page's own mean change period in that year: its length over its changes.
 * Pages watched for less than the year or with fewer than five changes are
 * left out. Changes that a poller recorded are spread back over its cadence
 * (seeded), and pages with exact times are shown apart.
 */
export function realStudy(
  histories: readonly RecordedChanges[],
  { seed }: { readonly seed: number },
): RealPoint[] {
  const collection = replayCollection(histories, { length: 365 * DAY, seed })
  const pages = wholeYears(collection)
  const exact = pages.filter((page) => collection.exact[page] === 1)
  return scenarios.flatMap((scenario) => {
    const name = scenario.name as ScenarioName
    const found = new Map(
      pages.map((page) => [page, estimated(collection, { page, seed, scenario })]),
    )
    const point = (label: string, some: readonly number[]) =>
      summary(
        some.map((page) => found.get(page)!),
        { scenario: name, pages: label },
      )
    return [point('all', pages), point('exact times', exact)]
  })
}

function wholeYears({ from, until, offsets, ids }: ReplayCollection): number[] {
  const long = (page: number) => until[page]! - from[page]! > 0.99 * YEAR
  const changes = (page: number) => offsets[page + 1]! - offsets[page]!
  return ids.map((_, page) => page).filter((page) => long(page) && changes(page) >= fewestChanges)
}

interface Estimated {
  readonly ratio: number
  readonly visits: number
}

/** The first visit falls anywhere in the first day. */
function estimated(
  collection: ReplayCollection,
  run: { page: number; seed: number; scenario: (typeof scenarios)[number] },
): Estimated {
  const { page, seed, scenario } = run
  const random = new Random(seed + page)
  const from = collection.from[page]! + DAY * random.uniform()
  const until = collection.until[page]!
  const timeline = new PageReplay(collection, page)
  timeline.advance(from)
  const changes = collection.offsets[page + 1]! - collection.offsets[page]!
  const truth = (until - collection.from[page]!) / changes
  const found = estimatePage(scenario, { timeline, from, until, random })
  return { ratio: found.changePeriod / truth, visits: found.visits }
}

function summary(
  found: readonly Estimated[],
  named: { scenario: ScenarioName; pages: string },
): RealPoint {
  const ratios = found.map(({ ratio }) => ratio)
  const near = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length
  return {
    ...named,
    count: found.length,
    lower: quantile(ratios, 0.25),
    median: quantile(ratios, 0.5),
    upper: quantile(ratios, 0.75),
    withinTwo: near / found.length,
    visits: found.reduce((sum, each) => sum + each.visits, 0) / found.length,
  }
}
