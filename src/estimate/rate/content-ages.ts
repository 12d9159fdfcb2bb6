import type { History } from '../../model/index.js'

/**
 * The content age at every visit at which it is known: told by the server, or
 * carried on through a gap without change from a visit at which it was told.
 */
export function knownContentAges(history: History): number[] {
  const known: number[] = []
  let current = history.start.contentAge
  if (current !== undefined) known.push(current)
  for (const { gap, changed, contentAge } of history.observations) {
    if (contentAge !== undefined) current = contentAge
    else current = changed || current === undefined ? undefined : current + gap
    if (current !== undefined) known.push(current)
  }
  return known
}
