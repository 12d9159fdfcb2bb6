import type { Stretches } from 'revisit/estimators'
import type { Random } from 'revisit/numeric'
import type { Watching } from './closed-forms.js'

/** One page watched from 0 to `until`: the first visit is at 0, the page is in equilibrium. */
export interface Watch extends Watching {
  readonly until: number
  readonly random: Random
}

/** Visits as columns: a History of a million objects would cost more than the watching. */
export function watch({ law, spacing, until, random }: Watch): Stretches {
  const expected = until / spacing.expect((gap) => gap)
  let room = Math.ceil(expected + 10 * Math.sqrt(expected) + 16)
  let times = new Float64Array(room)
  let changed = new Uint8Array(room)
  let contentAges = new Float64Array(room)
  const page = law.process.timeline({ from: 0, random: random.fork() })
  contentAges[0] = -page.lastChange
  let visits = 1
  for (let at = spacing.draw(random); at <= until; at += spacing.draw(random)) {
    if (visits === room) {
      room *= 2
      times = widened(times, room)
      contentAges = widened(contentAges, room)
      const more = new Uint8Array(room)
      more.set(changed)
      changed = more
    }
    if (page.advance(at)) changed[visits - 1] = 1
    times[visits] = at
    contentAges[visits] = at - page.lastChange
    visits++
  }
  return {
    stretches: [
      {
        times: times.subarray(0, visits),
        changed: changed.subarray(0, visits - 1),
        contentAges: contentAges.subarray(0, visits),
      },
    ],
  }
}

export function visitsOf({ stretches }: Stretches): number {
  return stretches[0]!.times.length
}

function widened(column: Float64Array, room: number): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(room)
  wide.set(column)
  return wide
}
