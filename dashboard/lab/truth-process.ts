import type { ChangeProcess } from '../../src/lab/process/change-process.js'
import { changeProcess, processes } from '../../src/lab/process/registry.js'
import { replay } from '../../src/lab/process/replay.js'
import { DAY, type UnixSeconds } from '../../src/model/units.js'
import type { LabRun } from './lab-run.js'

/** The process to be visited, and from when to when. */
export interface Stage {
  /** Of a page in the middle. */
  readonly process: ChangeProcess
  /** Of each page: the same where pages are alike. */
  readonly processes: readonly ChangeProcess[]
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly pages: number
}

/** A process lasts as long as asked; a record only as long as the page was watched. */
export function stageOf({ truth, days, pages, spread }: LabRun): Stage {
  if (truth.kind === 'process') {
    const process = changeProcess(truth.spec)
    const all = Array.from({ length: pages }, (_, i) =>
      spread > 1 ? scaled(truth.spec, process, spread ** ((i + 0.5) / pages - 0.5)) : process,
    )
    return { process, processes: all, from: 0, until: days * DAY, pages }
  }
  const times = Float64Array.from(truth.times)
  const from = times[0] ?? 0
  const until = Math.min(truth.end, from + days * DAY)
  const process = replay({ times, end: truth.end })
  return { process, processes: [process], from, until, pages: 1 }
}

/** Whether the pages of a process can differ in their period. */
export function hasPeriod(spec: string): boolean {
  const [name] = spec.split(':')
  const kind = processes.find((each) => each.name === name)
  return kind?.parameters.some((each) => each.name === 'period') === true
}

/** The process with another period; as it is where it has none. */
function scaled(spec: string, process: ChangeProcess, factor: number): ChangeProcess {
  if (!hasPeriod(spec)) return process
  const [name, written = ''] = spec.split(':')
  const others = written.split(',').filter((each) => each !== '' && !each.startsWith('period='))
  const period = `period=${process.changePeriod * factor}s`
  return changeProcess(`${name}:${[period, ...others].join(',')}`)
}
