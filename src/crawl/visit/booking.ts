import type { Clock } from '../../model/index.js'
import type { Permit } from '../gate/admission.js'
import type { HostGate } from '../gate/host-gate.js'
import type { HostState } from '../gate/host-state.js'

/** Remembers a host's record; undefined where there is nothing to remember. */
export type Book = (state: HostState) => Promise<void> | undefined

/** Of the delay, by how much it is booked for longer at first. */
const firstMargin = 0.1

/**
 * Books a host before it is asked. The request goes out when its booking is on
 * the disk, which may take a while: a delay that counted from before would be
 * short by that much after a kill. So it is booked for longer, and again with
 * twice as much if that was not enough. Once the request has ended, the true
 * delay takes its place.
 */
export function booked(
  state: HostState,
  { book, clock }: { readonly book: Book; readonly clock: Clock },
): Promise<void> | undefined {
  const began = clock.now()
  const delay = state.nextAllowedAt - began
  return delay > 0 ? bookedAhead(state, { book, clock, began, delay }) : book(state)
}

/** The same for a host that has given its leave; it stays open where its booking fails: then nothing was asked of it. */
export function bookedPermit(
  permit: Permit,
  parts: { readonly gate: HostGate; readonly clock: Clock; readonly book: Book | undefined },
): Promise<void> | undefined {
  const { gate, clock, book } = parts
  if (book === undefined) return undefined
  return booked(gate.state(permit.host), { book, clock })?.catch((error: unknown) => {
    permit.leave('redirected')
    throw error
  })
}

async function bookedAhead(
  state: HostState,
  {
    book,
    clock,
    began,
    delay,
  }: {
    readonly book: Book
    readonly clock: Clock
    readonly began: number
    readonly delay: number
  },
): Promise<void> {
  for (let margin = firstMargin * delay; ; margin *= 2) {
    const latest = clock.now() + margin
    await book({ ...state, nextAllowedAt: state.nextAllowedAt + latest - began })
    if (clock.now() <= latest) return
  }
}
