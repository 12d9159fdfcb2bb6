import { OptionError } from '../../model/errors.js'
import type { Learner, Policy } from '../../model/policy.js'
import { DAY, type Seconds } from '../../model/units.js'
import { learnerNamed, learners, policyOf } from '../../planner/registry.js'
import type { Planner } from '../../planner/step.js'
import type { ChangeProcess } from '../process/change-process.js'
import { changeProcess } from '../process/registry.js'
import { type LastModifiedKind, lastModifiedNamed } from './last-modified.js'

/** Many pages of one process, visited by one planner: what is simulated. */
export interface Study {
  readonly process: ChangeProcess
  readonly planner: Planner
  readonly lastModified: LastModifiedKind
  /** How long each page is visited. */
  readonly length: Seconds
  readonly seed: number
}

/** Pages `from` up to, but not including, `to`. */
export interface StudyPages {
  readonly from: number
  readonly to: number
}

/** A study in words and numbers: it can be printed, stored and sent to another thread. */
export interface StudySpec {
  /** As `changeProcess` reads it: `weibull:period=3d,shape=0.5`. */
  readonly process: string
  /** As `policyOf` reads it: `grimes-ford:factor=0.8`. */
  readonly policy: string
  /**
   * Name of a learner, or `none`. By default the one that the policy follows;
   * for a policy that follows none the irregular MLE, which then only watches.
   */
  readonly learner?: string
  /** `missing` by default. */
  readonly lastModified?: string
  readonly pages: number
  readonly length: Seconds
  readonly seed: number
}

/** The study that a spec asks for; refuses what cannot be, saying which and why. */
export function studyOf(spec: StudySpec): Study {
  checkWhole('pages', spec.pages, { from: 1 })
  checkWhole('seed', spec.seed, { from: 0 })
  if (!(spec.length > 0 && spec.length <= 1e6 * DAY))
    throw new OptionError(
      'bad-length',
      `a page must be visited for a time above 0 and up to a million days; got ${spec.length / DAY} days`,
    )
  const policy = policyOf(spec.policy)
  return {
    process: changeProcess(spec.process),
    planner: { policy, learner: learnerOf(spec, policy) },
    lastModified: lastModifiedNamed(spec.lastModified ?? 'missing'),
    length: spec.length,
    seed: spec.seed,
  }
}

function learnerOf({ learner }: StudySpec, policy: Policy): Learner | null {
  if (learner === 'none') {
    if (policy.learner === null) return null
    throw new OptionError(
      'no-learner',
      `${policy.name} follows an estimate, so it needs a learner; leave --learner out, or take one of: ${learners.map((each) => each.name).join(', ')}`,
    )
  }
  return learnerNamed(learner ?? policy.learner ?? 'irregular-mle')
}

function checkWhole(name: string, value: number, { from }: { from: number }): void {
  if (Number.isSafeInteger(value) && value >= from && value <= 2 ** 51) return
  throw new OptionError(
    `bad-${name}`,
    `${name} must be a whole number from ${from} on; got ${value}`,
  )
}
