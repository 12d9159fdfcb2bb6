import {
  type BoundedArguments,
  BoundedCalls,
  type BoundedCallsOptions,
} from '../content/bounded/bounded-calls.js'
import { bytesFingerprint } from '../content/fingerprint.js'
import { isPdf } from '../content/media-text.js'
import { headMarks, knownContents, rememberingPageReader } from '../content/page-reader.js'
import type { ContentAnswer, ReadPage } from '../content/read-content.js'
import { pageRules } from '../content/reading-rules.js'
import { RevisitError } from '../model/errors.js'
import type { HostRecord } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import type { PublisherReader, Reader, Reading, UnreadContent } from '../model/reader.js'
import type { Seconds } from '../model/units.js'
import { type FoundPagesOptions, publisherReader } from './discovery.js'
import type { LearnedNoise, Published } from './reading-jobs.js'

/** A body up to this is read in place: no step takes more than linear time, a few milliseconds in all. */
const quickBytes = 128 * 1024

/** Beside this file, compiled or not. */
const jobs = new URL(`./reading-jobs${import.meta.url.slice(-3)}`, import.meta.url).href

export interface BoundedReadingOptions extends BoundedCallsOptions, FoundPagesOptions {
  /** For a PDF, those of many hundred pages take several seconds; 20 by default. */
  readonly pdfTime?: Seconds
}

/**
 * Reads pages so that none can stop the others. What is quick by construction
 * is read in place: to post each page to a thread would cost more than to read
 * it. PDF, packed and large bodies and pages with rules of a person go to
 * threads with limits on time and memory, as does all learning of noise. See
 * docs/decisions/0009-reading-has-limits.md.
 */
export class BoundedReading {
  readonly #calls: BoundedCalls
  readonly #pdfTime: Seconds
  readonly reader: Reader
  readonly publisher: PublisherReader

  constructor(options: BoundedReadingOptions = {}) {
    const { without, pdfTime = 20, ...limits } = options
    this.#calls = new BoundedCalls(limits)
    this.#pdfTime = pdfTime
    this.reader = boundedReader(this.#calls, pdfTime)
    this.publisher = boundedPublisher(this.#calls, without === undefined ? {} : { without })
  }

  /** What several answers tell of a page's noise; rejects with a PageError beyond the limits. */
  learnedNoise(
    {
      samples,
      old,
    }: { readonly samples: readonly ContentAnswer[]; readonly old: ContentAnswer | null },
    page: PageRecord,
  ): Promise<LearnedNoise | null> {
    return this.#calls.call({
      module: jobs,
      name: 'learnedNoise',
      given() {
        const copies = samples.map(copied)
        const before = old === null ? null : copied(old)
        const all = before === null ? copies : [...copies, before]
        return {
          args: [{ samples: copies, old: before, visits: page.visits }, needed(page)],
          transfer: all.map(({ body }) => body.buffer),
        }
      },
      ...(samples.some(isPdf) ? { time: this.#pdfTime * (samples.length + 1) } : {}),
    })
  }

  close(): Promise<void> {
    return this.#calls.close()
  }
}

function boundedReader(calls: BoundedCalls, pdfTime: Seconds): Reader {
  const known = knownContents()
  const inPlace = rememberingPageReader(known)
  /** By answer: what came of it, by which rules. */
  const made = new WeakMap<ContentAnswer, { mark: string; reading: Reading | UnreadContent }>()
  return {
    ...inPlace,
    ahead(answer, page) {
      if (isQuick(answer) && (page.settings.reading ?? null) === null) return undefined
      const mark = markOf(page)
      if (mark === null || made.get(answer)?.mark === mark) return undefined
      const digest = bytesFingerprint(answer.body)
      // Beside what is known under the digest alone: in place a PDF is read by its bytes.
      const key = `${mark} ${digest}`
      const type = answer.headers['content-type']
      const take = (reading: Reading | UnreadContent) => {
        if ('fingerprint' in reading) known.set(key, { type, fingerprint: reading.fingerprint })
        made.set(answer, { mark, reading: 'fault' in reading ? reading : { ...reading, digest } })
      }
      const before = known.get(key)
      if (before !== undefined && before.type === type) {
        take({ fingerprint: before.fingerprint, ...headMarks(answer) })
        return undefined
      }
      return calls
        .call<Reading | UnreadContent>({
          module: jobs,
          name: 'readAnswer',
          given: () => withCopy(answer, needed(page)),
          ...(isPdf(answer) ? { time: pdfTime } : {}),
        })
        .then(take, (error: unknown) => take(faultOf(error)))
    },
    read(answer, page) {
      const before = made.get(answer)
      if (before !== undefined && before.mark === markOf(page)) return before.reading
      return inPlace.read(answer, page)
    },
  }
}

/** Null where a page's rules are wrong: reading it says so at once. */
function markOf(page: PageRecord): string | null {
  try {
    return pageRules(page)?.mark ?? ''
  } catch {
    return null
  }
}

function faultOf(error: unknown): UnreadContent {
  const fault = error instanceof RevisitError ? error.code : 'unreadable'
  return { fault, message: (error as Error).message }
}

function boundedPublisher(calls: BoundedCalls, options: FoundPagesOptions): PublisherReader {
  const inPlace = publisherReader(options)
  const made = new WeakMap<object, Published | { readonly error: unknown }>()
  const published = (answer: object): Published | undefined => {
    const before = made.get(answer)
    if (before !== undefined && 'error' in before) throw before.error
    return before
  }
  return {
    ahead(answer, { page, host }) {
      if (isQuick(answer)) return undefined
      const about = { page: needed(page), host }
      const without = [...(options.without ?? [])]
      const given = () => withCopy(answer, about, { without })
      const work = { module: jobs, name: 'publishedBy', given }
      return calls.call<Published>(work).then(
        (all) => void made.set(answer, all),
        (error: unknown) => void made.set(answer, { error }),
      )
    },
    hints: (answer) => published(answer)?.hints ?? inPlace.hints(answer),
    found: (answer, about: { page: PageRecord; host: HostRecord | undefined }) =>
      published(answer)?.found ?? inPlace.found(answer, about),
    unlisted: (answer) => published(answer)?.unlisted ?? inPlace.unlisted(answer),
  }
}

/** What is packed may hold a thousand times its size. */
function isQuick(answer: ContentAnswer): boolean {
  const { body } = answer
  const packed = body[0] === 0x1f && body[1] === 0x8b
  return body.length <= quickBytes && !packed && !isPdf(answer)
}

/** Its bytes may lie among those of others, which are not to be sent with them. */
function copied(answer: ContentAnswer): ContentAnswer & { readonly body: Uint8Array<ArrayBuffer> } {
  return { ...answer, body: new Uint8Array(answer.body) }
}

function withCopy(answer: ContentAnswer, ...more: readonly unknown[]): BoundedArguments {
  const copy = copied(answer)
  return { args: [copy, ...more], transfer: [copy.body.buffer] }
}

function needed({ url, settings, noise, visits, lastSeen }: PageRecord): ReadPage {
  return { url, settings, noise, visits, lastSeen }
}
