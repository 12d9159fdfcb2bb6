import type { VisitReport } from '../../model/index.js'
import { joinedBytes, joinedNumbers, Parts } from './joined-arrays.js'
import { sized } from './packed-leases.js'

/** Reports on their way between threads: text, the numbers of all states, the bytes of all contents. */
export interface PackedReports {
  readonly text: string
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

type Carried = Omit<VisitReport, 'lease' | 'state' | 'content'> & {
  lease: { page: { id: string }; token: number }
  state?: { learner: string; size: number }
  content?: Omit<NonNullable<VisitReport['content']>, 'body'> & { length: number }
}

export function packReports(reports: readonly VisitReport[]): PackedReports {
  const states: Float64Array[] = []
  const bodies: Uint8Array[] = []
  const carried = reports.map(({ lease, state, content, ...report }) => {
    if (state !== undefined) states.push(state.numbers)
    if (content !== undefined) bodies.push(content.body)
    return {
      ...report,
      lease: { page: { id: lease.page.id }, token: lease.token },
      ...(state === undefined ? {} : { state: sized(state) }),
      ...(content === undefined ? {} : { content: withoutBody(content) }),
    }
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
  return (JSON.parse(text) as Carried[]).map(({ state, content, ...report }) => ({
    ...report,
    ...(state === undefined
      ? {}
      : { state: { learner: state.learner, numbers: states.next(state.size) } }),
    ...(content === undefined ? {} : { content: withBody(content, bodies) }),
  }))
}

function withoutBody({ body, ...content }: NonNullable<VisitReport['content']>) {
  return { ...content, length: body.length }
}

function withBody(
  { length, ...content }: NonNullable<Carried['content']>,
  bodies: Parts<Uint8Array>,
): NonNullable<VisitReport['content']> {
  return { ...content, body: bodies.next(length) }
}
