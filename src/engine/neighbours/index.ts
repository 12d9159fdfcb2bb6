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
export { callSiblings, isCalled, type SiblingParts } from './siblings.js'
