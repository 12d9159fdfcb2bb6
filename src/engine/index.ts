export { PageState } from './page-state.js'
export { begin, firstStep, type Mind, proceed, type Step, step } from './step.js'
