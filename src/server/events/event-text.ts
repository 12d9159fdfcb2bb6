import type { LoggedVisit } from '../../model/index.js'

/** One visit as a server-sent event: `change` where it found one, else `visit`. */
export function eventText(visit: LoggedVisit): string {
  const name = visit.outcome === 'changed' ? 'change' : 'visit'
  return `id: ${visit.number}\nevent: ${name}\ndata: ${JSON.stringify(visit)}\n\n`
}

/**
 * Nothing happened, or nothing that was asked for: the browser remembers the
 * number all the same, and shows no event, since there is no data.
 */
export function beatText(number: number): string {
  return `: beat\nid: ${number}\n\n`
}

/** The number after which to go on: what the browser tells, or what was asked for at first. */
export function startOf({
  header,
  after,
  last,
}: {
  readonly header: string | undefined
  readonly after: number | undefined
  readonly last: number
}): number {
  const told = /^\d{1,15}$/.test(header ?? '') ? Number(header) : after
  // A number that is not reached yet was given by another store.
  return told === undefined || told > last ? last : told
}
