export { type NeighbourParts, Neighbours } from './neighbours.js'
export { type PlanParts, planAfter } from './plan-after.js'
export { callSiblings, isCalled, type SiblingParts } from './siblings.js'
