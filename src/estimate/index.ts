export * from './learner/index.js'
export * from './prior/index.js'
export * from './rate/index.js'
export * from './trend/index.js'
