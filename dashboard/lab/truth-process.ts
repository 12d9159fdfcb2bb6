import { type ChangeProcess, DAY, type UnixSeconds } from '../../src/model/index.js'
import { changeProcess, replay } from '../../src/simulate/index.js'
import type { LabRun } from './lab-run.js'

/** The process to be visited, and from when to when. */
export interface Stage {
  readonly process: ChangeProcess
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly pages: number
}

/** A process lasts as long as asked; a record only as long as the page was watched. */
export function stageOf({ truth, days, pages }: LabRun): Stage {
  if (truth.kind === 'process')
    return { process: changeProcess(truth.spec), from: 0, until: days * DAY, pages }
  const times = Float64Array.from(truth.times)
  const from = times[0] ?? 0
  const until = Math.min(truth.end, from + days * DAY)
  return { process: replay({ times, end: truth.end }), from, until, pages: 1 }
}
