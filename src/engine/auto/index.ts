export { AutoMinds, type AutoMindsOptions, groupOf } from './auto-minds.js'
export { Census, type Counted, runningGap } from './census.js'
export { isKeptOnly, noLongerWatched } from './page-keeper.js'
export { PriorLesson } from './prior-lesson.js'
export { type Steering, type SteeringNow, steered, steeringOf } from './steering.js'
export {
  type Budget,
  lessonSetting,
  priorSetting,
  Steward,
  type StewardParts,
  steeringSetting,
  storedPrior,
} from './steward.js'
