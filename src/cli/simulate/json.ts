import type { StudyResult, StudySpec } from '../../simulate/index.js'

/** One study with what it found. */
export interface StudyRow {
  readonly spec: StudySpec
  readonly learner: string | null
  readonly result: StudyResult
}

/** All studies as one JSON text; nothing in it depends on the machine or on threads. */
export function simulateJson(rows: readonly StudyRow[]): string {
  const studies = rows.map(({ spec, learner, result }) => ({ ...spec, learner, ...result }))
  return `${JSON.stringify(studies, null, 2)}\n`
}
