export { type AutoPolicyOptions, autoPolicy } from './auto-policy.js'
export { type BestGap, bestGap, type GapProblem, isWorthOnNews } from './best-gap.js'
export {
  type Foresight,
  foreseenFresh,
  foresightOf,
  freshAfterNews,
  heardFresh,
  newsOf,
} from './foresight.js'
export { newsWords } from './heard-words.js'
export { type LawWorths, lawWorths } from './law-worths.js'
export { type ListPolicyOptions, listPolicy, lookGap, toldWorth } from './list-policy.js'
export {
  isObjective,
  type Objective,
  objectiveNamed,
  objectives,
  priceRanges,
  reward,
  usualPrices,
} from './objective.js'
export { ownClock } from './own-clock.js'
export { type WeekWorths, weekWorths } from './week-worths.js'
