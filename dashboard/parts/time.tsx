import { humanMoment } from '../../src/model/duration.js'
import type { UnixSeconds } from '../../src/model/units.js'
import { changeTime, moment, utcMoment } from './words.js'

/** A moment by the clock on this person's wall; in UTC on hover. */
export function Moment({ at }: { at: UnixSeconds }) {
  return <Time at={at} words={moment(at)} hover={utcMoment(at)} />
}

/** How long ago, or in how long; on hover when, by this clock and in UTC. */
export function FromNow({ at, now }: { at: UnixSeconds; now: UnixSeconds }) {
  return <Time at={at} words={humanMoment(at, now)} hover={bothMoments(at)} />
}

/** As a list of changes has it; on hover the moment, by this clock and in UTC. */
export function ChangeTime({ at, now }: { at: UnixSeconds; now: UnixSeconds }) {
  return <Time at={at} words={changeTime(at, now)} hover={bothMoments(at)} />
}

/** A moment by this clock and in UTC, as text for a hover. */
export function bothMoments(at: UnixSeconds): string {
  return `${moment(at)} (${utcMoment(at)})`
}

function Time({ at, words, hover }: { at: UnixSeconds; words: string; hover: string }) {
  const date = new Date(at * 1000)
  if (Number.isNaN(date.getTime())) return <>{words}</>
  return (
    <time dateTime={date.toISOString()} title={hover}>
      {words}
    </time>
  )
}
