export * from './evaluate/index.js'
export { Scores } from './scores.js'
export {
  type AgeTeller,
  tellsNothing,
  tellsTruth,
  type VisitLoop,
  visitPage,
} from './visit-loop.js'
