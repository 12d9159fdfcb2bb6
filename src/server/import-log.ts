import { type Imported, importVisits } from '../engine/index.js'
import {
  type Chunks,
  GatheredVisits,
  type Problem,
  Problems,
  type Refusal,
  readVisits,
  refusal,
  type VisitFormat,
} from '../formats/index.js'
import { HOUR, RevisitError } from '../model/index.js'
import { ApiError } from './api-error.js'
import type { ServiceParts } from './service-parts.js'

/** All visits of a log are held at once, some 200 bytes each: a gzipped stream could be endless. */
const mostVisits = 1_000_000

export interface ImportedLog extends Imported {
  readonly badLines: number
  /** The first of them. */
  readonly problems: readonly Problem[]
}

/** Records visits that were made elsewhere, from a log as `revisit import` reads it. */
export async function importLog(
  chunks: Chunks,
  { format, parts }: { format: VisitFormat | undefined; parts: ServiceParts },
): Promise<ImportedLog> {
  const { store, collection, clock, mindFor, random, feed } = parts
  const now = clock.now()
  const problems = new Problems()
  const gathered = new GatheredVisits({ now, address: (text) => addressIn(text, parts) })
  let visits = 0
  const take: typeof gathered.take = (line) => {
    if (++visits > mostVisits) throw tooMany()
    return gathered.take(line)
  }
  await readVisits(chunks, take, { format, problems, now })
  const terms = { now, ttl: HOUR, worker: 'outside:import' }
  const imported = await importVisits(gathered.pages(), {
    store,
    collection,
    terms,
    mindFor,
    random,
  })
  feed.nudge()
  return { ...imported, badLines: problems.total, problems: problems.first }
}

function addressIn(text: string, { web }: ServiceParts): string | Refusal {
  try {
    return web.loggedAddress(text)
  } catch (error) {
    if (!(error instanceof RevisitError)) throw error
    return refusal(error.code, () => error.message)
  }
}

function tooMany(): ApiError {
  return new ApiError(413, 'too-large', `a log of more than ${mostVisits} visits is taken in parts`)
}
