export { ExactMoments, type ExactMomentsState } from './exact-moments.js'
export { ExactRatio, type ExactRatioState } from './exact-ratio.js'
export {
  QuantileSketch,
  type QuantileSketchState,
  type SketchedQuantile,
} from './quantile-sketch.js'
export { RunningMoments } from './running-moments.js'
