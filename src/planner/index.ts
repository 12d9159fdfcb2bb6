/**
 * What the default does for a whole collection: statistics of a scan, the
 * budget controller, the prior learner, and news within a site. The crawler
 * and the replay of `evaluate` call the same functions. Uses model, numeric,
 * estimate and schedule; no clock, no randomness, no store.
 */
export {
  isApart,
  type Ledger,
  ledgerFrom,
  nextLedger,
  priceIn,
  type Shares,
  type Spending,
  sharesOf,
} from './budget-controller.js'
export { PriorLearner, type PriorLearnerOptions } from './prior-learner.js'
export {
  PromiseCount,
  type PromisedPage,
  type Promises,
  promiseWarning,
  scaledPromises,
  sharesWith,
} from './promises.js'
export {
  isElsewhere,
  isTimeToLearn,
  notAllAtOnce,
  sampleStride,
  type Waiting,
} from './scan-rules.js'
export {
  type ComparedVisit,
  callsApart,
  mostCalled,
  type NewsRecord,
  newsAfter,
  newsTime,
  newsWeight,
  noSiteNews,
  proof,
  type SiteNews,
  scoutingGap,
  siteNewsFrom,
  siteNewsJson,
} from './site-news.js'
export { StaleRecord } from './stale-record.js'
export {
  CollectionStatistics,
  type CountedPage,
  type CountedRecord,
  corrected,
  isOutOfReach,
  type PredictedPage,
  runningGap,
  shortestOwnGap,
} from './statistics.js'
