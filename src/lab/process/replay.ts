import { humanDuration, humanTime } from '../../model/duration.js'
import { InputError, OptionError } from '../../model/errors.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { ChangeProcess, Timeline } from './change-process.js'

export interface ReplayOptions {
  /** In ascending order. The first is the start of the record and not a change. Not copied. */
  readonly times: Float64Array
  /** Until when the page was watched; nothing is known after it. */
  readonly end: UnixSeconds
  /** The line of the file that a time was read from, for the message that refuses it. */
  readonly lineOf?: (index: number) => number
}

/**
 * The changes that a real page made, as recorded. No chance: the random source
 * is not touched. A timeline starts and walks within the record and refuses to
 * leave it; before the first change the start of the record stands for the
 * last, the oldest that is known. `changePeriod` is Infinity for a record
 * without a change. O(log n) to start, O(changes) an advance.
 */
export function replay({ times, end, lineOf }: ReplayOptions): ChangeProcess {
  checkTimes({ times, end, ...(lineOf === undefined ? {} : { lineOf }) })
  const changes = times.length - 1
  const watched: Seconds = end - times[0]!
  return {
    name: 'replay',
    summary: `${changes} recorded changes in ${humanDuration(watched)}`,
    changePeriod: changes === 0 ? Infinity : watched / changes,
    timeline: ({ from }) => new ReplayTimeline({ times, end, from }),
  }
}

function checkTimes({ times, end, lineOf }: ReplayOptions): void {
  if (times.length === 0)
    throw new InputError('empty-record', 'a record needs at least the time of its start')
  for (let i = 0; i < times.length; i++) {
    const problem = problemAt({ times, end, index: i })
    if (problem === undefined) continue
    const where = lineOf === undefined ? `time ${i + 1} of ${times.length}: ` : ''
    throw new InputError(problem.code, where + problem.message, { line: lineOf?.(i) })
  }
  if (!(end > times[0]!) || end === Infinity)
    throw new InputError(
      'bad-record-end',
      `the record ends (${humanTime(end)}) no later than it starts (${humanTime(times[0]!)})`,
    )
}

function problemAt({ times, end, index }: { times: Float64Array; end: number; index: number }) {
  const at = times[index]!
  const before = index === 0 ? -Infinity : times[index - 1]!
  if (!Number.isFinite(at))
    return { code: 'bad-time', message: 'this time is not a finite number of Unix seconds' }
  if (at === before)
    return { code: 'duplicate-time', message: `${humanTime(at)} is there twice; list it once` }
  if (at < before)
    return {
      code: 'time-not-forward',
      message: `${humanTime(at)} comes after ${humanTime(before)}; sort the times of a page`,
    }
  if (at > end)
    return {
      code: 'time-after-end',
      message: `${humanTime(at)} lies after the end of the record, ${humanTime(end)}`,
    }
  return undefined
}

class ReplayTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #times: Float64Array
  readonly #end: UnixSeconds
  #next: number

  constructor({
    times,
    end,
    from,
  }: {
    readonly times: Float64Array
    readonly end: UnixSeconds
    readonly from: UnixSeconds
  }) {
    if (!(from >= times[0]! && from <= end)) throw outside({ moment: from, times, end })
    this.#times = times
    this.#end = end
    this.#next = countUpTo(times, from)
    this.lastChange = times[this.#next - 1]!
  }

  advance(to: UnixSeconds): boolean {
    if (to > this.#end) throw outside({ moment: to, times: this.#times, end: this.#end })
    const times = this.#times
    const before = this.#next
    let next = before
    while (next < times.length && times[next]! <= to) next++
    this.changes = next - before
    this.#next = next
    this.firstChange = next > before ? times[before]! : Infinity
    this.lastChange = times[next - 1]!
    return next > before
  }
}

/** How many of the ascending times are at or before a moment. */
function countUpTo(times: Float64Array, moment: UnixSeconds): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

function outside({
  moment,
  times,
  end,
}: {
  moment: UnixSeconds
  times: Float64Array
  end: UnixSeconds
}): OptionError {
  return new OptionError(
    'outside-record',
    `${humanTime(moment)} lies outside the record, which goes from ${humanTime(times[0]!)} to ${humanTime(end)}; stay within it`,
  )
}
