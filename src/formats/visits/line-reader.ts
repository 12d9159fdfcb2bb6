import { numberField } from '../bytes/number-field.js'
import { quoted } from '../bytes/shown.js'
import type { Refusal } from '../refusal.js'
import { refusal } from '../refusal.js'
import { LastModifiedReading } from '../time/last-modified-reading.js'
import { type TimeOptions, TimeReading } from '../time/time-reading.js'
import { outcomeWord } from './outcome-word.js'
import type { VisitFields } from './visit-fields.js'
import { VisitLine } from './visit-line.js'

/**
 * Turns the fields of a record into a visit, or says why not. What the fields
 * mean is the same in every format; the formats only find them.
 */
export class LineReader {
  readonly visit = new VisitLine()
  readonly times: TimeReading
  readonly #lastModified: LastModifiedReading

  constructor(options: TimeOptions) {
    this.times = new TimeReading(options)
    this.#lastModified = new LastModifiedReading(options, this.times)
  }

  /** Fills `visit`; a refusal if the record tells of no visit. */
  read(fields: VisitFields): Refusal | undefined {
    const { visit } = this
    if (fields.url.length === 0) return noUrl
    visit.url.copyFrom(fields.url)
    visit.key.copyFrom(fields.key.length === 0 ? fields.url : fields.key)
    const at = this.times.read(fields.at)
    if (typeof at !== 'number') return at
    visit.at = at
    const lastModified = this.#lastModified.read(fields.lastModified)
    if (typeof lastModified === 'object') return lastModified
    visit.lastModified = lastModified
    visit.calmFor = fields.calmFor.length === 0 ? undefined : told(numberField(fields.calmFor))
    return this.#outcome(fields)
  }

  #outcome({ changed, digest, hasDigest }: VisitFields): Refusal | undefined {
    const { visit } = this
    if (changed.length > 0) {
      const outcome = outcomeWord(changed)
      if (outcome === undefined) return badOutcome(changed)
      visit.outcome = outcome
      return undefined
    }
    if (!hasDigest) return noOutcome
    visit.outcome = digest.length === 0 ? 'failed' : 'by-digest'
    visit.digest.copyFrom(digest)
    return undefined
  }
}

/** Left out where it is no number, as one that cannot be is left out when gaps are made of visits. */
function told(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number
}

const noOutcome = refusal(
  'bad-outcome',
  () => 'nothing says whether the page changed; write failed for a visit that failed',
)
const noUrl = refusal('no-url', () => 'the url is empty')

function badOutcome(field: VisitFields['changed']): Refusal {
  return refusal(
    'bad-outcome',
    () =>
      `changed is ${quoted(field)}; write true or false, or one of changed, unchanged, first, failed, gone, refused`,
  )
}
