/** What most programs need: records, estimators and the default by name. The rooms have doors of their own. */
export * from './estimators/index.js'
export * from './model/index.js'
export * from './planner/registry.js'
