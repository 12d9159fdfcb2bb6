import { runStudy } from './run-study.js'
import { type StudyPages, type StudySpec, studyOf } from './study.js'
import type { StudyTallyState } from './study-result.js'

/** Some pages of a study, for whichever thread is free. */
export interface StudyShare {
  readonly spec: StudySpec
  readonly pages: StudyPages
}

/** Runs in a worker thread. */
export default function runShare({ spec, pages }: StudyShare): StudyTallyState {
  return runStudy(studyOf(spec), pages).state
}
