import type { VisitReport } from '../../model/index.js'
import { joinedBytes, joinedNumbers, Parts } from './joined-arrays.js'

/** Reports on their way between threads: text, the numbers of all states, the bytes of all contents. */
export interface PackedReports {
  readonly text: string
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A report whose arrays travel apart; of its lease only what the store reads. */
type Carried = Omit<VisitReport, 'lease' | 'state' | 'content'> & {
  lease: { page: { id: string }; token: number }
  state?: { learner: string; numbers: number } | undefined
  content?: (Omit<NonNullable<VisitReport['content']>, 'body'> & { body: number }) | undefined
}

export function packReports(reports: readonly VisitReport[]): PackedReports {
  const states: Float64Array[] = []
  const bodies: Uint8Array[] = []
  const carried = reports.map((report) => {
    if (report.state !== undefined) states.push(report.state.numbers)
    if (report.content !== undefined) bodies.push(report.content.body)
    return withoutArrays(report)
  })
  return {
    text: JSON.stringify(carried),
    numbers: joinedNumbers(states),
    bytes: joinedBytes(bodies),
  }
}

export function unpackReports({ text, numbers, bytes }: PackedReports): VisitReport[] {
  const states = new Parts(numbers)
  const bodies = new Parts(bytes)
  const carried = JSON.parse(text) as Carried[]
  for (const { state, content } of carried) {
    if (state !== undefined) Object.assign(state, { numbers: states.next(state.numbers) })
    if (content !== undefined) Object.assign(content, { body: bodies.next(content.body) })
  }
  return carried as unknown as VisitReport[]
}

/** Field by field, since copying all but a few costs several times as much; JSON leaves out what is undefined. */
function withoutArrays(report: VisitReport): { [Field in keyof VisitReport]: unknown } {
  const { lease, state, content } = report
  return {
    lease: { page: { id: lease.page.id }, token: lease.token },
    visit: report.visit,
    due: report.due,
    validators: report.validators,
    hints: report.hints,
    noise: report.noise,
    movedTo: report.movedTo,
    host: report.host,
    keepLease: report.keepLease,
    state: state && { learner: state.learner, numbers: state.numbers.length },
    content: content && { ...content, body: content.body.length },
  } satisfies Record<keyof VisitReport, unknown>
}
