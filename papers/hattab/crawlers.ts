import { replay, Scores, visitPage } from 'revisit/lab'
import { type Policy, type Seconds, type UnixSeconds, WEEK } from 'revisit/model'
import type { Random } from 'revisit/numeric'
import { PageState } from 'revisit/planner'
import { barrelPolicy, fixed, typicalCrawler } from 'revisit/policies'
import { declaredBy, type Reading, tagOfWeek } from './tags.js'

/** The crawlers that are compared. `even` makes as many crawls as `days`, the same for all sites. */
export const crawlers = {
  typical: 'typical: every week',
  days: 'tags read as days',
  literal: 'tags read literally',
  barrels: 'tags read as days, by barrels',
  even: 'as many crawls, evenly',
} as const
export type Crawler = keyof typeof crawlers

/** One site's changes and the tags that its publisher made of them. */
export interface TaggedSite {
  readonly changes: Float64Array
  readonly weeklyCounts: readonly number[]
}

/** How a crawler visits a site; `evenGap` is that of the even crawler. */
export function policyOf(
  crawler: Crawler,
  { site, evenGap }: { readonly site: TaggedSite; readonly evenGap: Seconds },
): Policy {
  if (crawler === 'typical') return typicalCrawler
  if (crawler === 'even') return fixed({ gap: evenGap })
  const reading: Reading = crawler === 'literal' ? 'literal' : 'days'
  return tagReader(barrelPolicy({ exact: crawler !== 'barrels' }), { site, reading })
}

/** Reads the tag that stands on the page at each visit, as the paper's crawler parses it. */
function tagReader(
  policy: Policy,
  { site, reading }: { site: TaggedSite; reading: Reading },
): Policy {
  return {
    ...policy,
    nextGap(view) {
      const tag = tagOfWeek(site.weeklyCounts, Math.floor(view.at / WEEK))
      return policy.nextGap({ ...view, declared: declaredBy(tag, reading) })
    },
  }
}

/** Crawls a site from `from` to `until` and scores what the copy was worth. */
export function crawl(
  policy: Policy,
  {
    changes,
    from,
    until,
    random,
  }: {
    readonly changes: Float64Array
    readonly from: UnixSeconds
    readonly until: UnixSeconds
    readonly random: Random
  },
): Scores {
  const record = Float64Array.from([0, ...changes])
  const timeline = replay({ times: record, end: until }).timeline({ from, random })
  const scores = new Scores()
  const state = new PageState({ learner: null, random })
  visitPage({ policy, learner: null }, state, scores, { timeline, from, until })
  return scores
}
