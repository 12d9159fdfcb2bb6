export { type AutoPolicyOptions, autoPolicy } from './auto-policy.js'
export { type BestGap, bestGap, type GapProblem } from './best-gap.js'
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
export { heardNews, type NewsTally, newsLift, noNews, worthNewsVisit } from './neighbour-news.js'
export { type Objective, reward } from './objective.js'
export { type PriceOutcome, priceFor, priceOutcome } from './price.js'
export { nextPrice, noPrice, type PriceState, type Spending } from './price-controller.js'
export { type WeekWorths, weekWorths } from './week-worths.js'
