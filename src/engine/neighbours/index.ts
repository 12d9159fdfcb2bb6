export {
  type HeardVisit,
  type HostNews,
  hostNewsFrom,
  hostNewsJson,
  newsAfter,
  newsTime,
  noHostNews,
} from './host-news.js'
export { type NeighbourParts, Neighbours } from './neighbours.js'
export { type PlanParts, planAfter } from './plan-after.js'
export { callSiblings, callsApart, isCalled, mostCalled, type SiblingParts } from './siblings.js'
export { spreadGap } from './spread-gap.js'
