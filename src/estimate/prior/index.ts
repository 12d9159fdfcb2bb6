export {
  type GridPrior,
  gridPrior,
  logGrid,
  logUniformPrior,
  periodQuantile,
  type Summary,
  typicalPeriod,
} from './grid-prior.js'
