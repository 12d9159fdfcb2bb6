import { DAY, HOUR, type Seconds } from 'revisit/model'
import { readPublished } from '../read-published.js'

export const published = readPublished(import.meta.url)

const numbers = published.numbers as unknown as {
  readonly bestFirstGapDays: number
  readonly hoursBetter: number
}

/** The printed numbers of section 4.2 and section 5. */
export const printed: { readonly bestFirstGap: Seconds; readonly better: Seconds } = {
  bestFirstGap: numbers.bestFirstGapDays * DAY,
  better: numbers.hoursBetter * HOUR,
}
