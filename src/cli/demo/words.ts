import { DAY, HOUR, MINUTE, type UnixSeconds } from '../../model/index.js'
import type { SteadyShare } from './steady-share.js'

export function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}

/** A number of bytes as a person says it. */
export function byteWords(bytes: number): string {
  const scales = [
    { size: 1e9, name: 'GB' },
    { size: 1e6, name: 'MB' },
    { size: 1e3, name: 'KB' },
  ]
  const scale = scales.find(({ size }) => bytes >= size)
  return scale === undefined ? `${bytes} B` : `${(bytes / scale.size).toFixed(1)} ${scale.name}`
}

/** The demo's time from its beginning: `day 3, 14:05`. */
export function demoDay(at: UnixSeconds, { origin }: { readonly origin: UnixSeconds }): string {
  const day = Math.floor((at - origin) / DAY) + 1
  const clock = at % DAY
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `day ${day}, ${two(clock / HOUR)}:${two((clock % HOUR) / MINUTE)}`
}

export function steadyWords({ due, within, share }: SteadyShare): string {
  if (share === null) return 'no steady page was due to change five times yet'
  return `${within} of ${due} steady pages that were due to change five times (${percent(share)})`
}

/** The freshness of both, and that it learns while it is not ahead. */
export function freshWords({
  revisit,
  fixedSchedule,
}: {
  readonly revisit: number
  readonly fixedSchedule: number
}): string {
  const learning = revisit > fixedSchedule ? '' : ' (still learning)'
  return `Fresh ${percent(revisit)} of the time${learning}; a fixed schedule with as many requests: ${percent(fixedSchedule)}`
}
