import {
  runStudy,
  type StudyPages,
  type StudySpec,
  type StudyTallyState,
  studyOf,
} from '../simulate/index.js'

/** Some pages of a study, for whichever thread is free. */
export interface StudyShare {
  readonly spec: StudySpec
  readonly pages: StudyPages
}

/** Runs in a worker thread. */
export default function runShare({ spec, pages }: StudyShare): StudyTallyState {
  return runStudy(studyOf(spec), pages).state
}
