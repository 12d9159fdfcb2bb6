export * from './estimate/index.js'
export * from './model/index.js'
