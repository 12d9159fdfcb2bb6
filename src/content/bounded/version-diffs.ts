import { humanTime } from '../../model/duration.js'
import { RevisitError } from '../../model/errors.js'
import { LruMap } from '../../model/lru-map.js'
import type { PageRecord } from '../../model/page.js'
import type { Version } from '../../model/store.js'
import type { Seconds } from '../../model/units.js'
import type { View } from '../comparable-text.js'
import { isPdf } from '../media-text.js'
import type { Offer } from '../offer.js'
import type { ContentAnswer, ReadPage } from '../read-content.js'
import { type FoundRule, lineExpression } from '../rule-from-line.js'
import { BoundedCalls, type BoundedCallsOptions } from './bounded-calls.js'
import type { ChangeBetween, Incomparable, LinesAsked, LinesBetween, TextIn } from './diff-jobs.js'

/** Beside this file, compiled or not. */
const jobs = new URL(`./diff-jobs${import.meta.url.slice(-3)}`, import.meta.url).href

/** Changes remembered, a few kilobytes each: every channel asks for the same. */
const remembered = 200

export interface KeptContent {
  readonly version: Version
  readonly body: Uint8Array
}

/** Two versions of a page; before is null where the page was not there. */
export interface VersionPair {
  readonly page: PageRecord
  readonly before: KeptContent | null
  readonly after: KeptContent
}

export interface VersionDiffsOptions extends BoundedCallsOptions {
  /** For each PDF; 20 by default. */
  readonly pdfTime?: Seconds
}

/**
 * What changed between two kept versions of a page, both read by the rules and
 * masks that the page has now: what every place shows of a change is what was
 * compared. On threads with limits, as reading is: a page made to be slow holds
 * up neither the service nor the notices of other pages. An overrun stands
 * in the result.
 */
export class VersionDiffs {
  readonly #calls: BoundedCalls
  readonly #pdfTime: Seconds
  readonly #known = new LruMap<ChangeBetween>({ most: remembered })

  constructor({ pdfTime = 20, ...limits }: VersionDiffsOptions = {}) {
    this.#calls = new BoundedCalls(limits)
    this.#pdfTime = pdfTime
  }

  /** One version as text, in a view. */
  text(
    { page, content }: { readonly page: PageRecord; readonly content: KeptContent },
    view: View,
  ): Promise<TextIn> {
    const args = ([answer]: readonly ContentAnswer[]) => [answer, { page: needed(page), view }]
    return this.#call<TextIn>('textIn', { page, contents: [content] }, args).catch(overrun)
  }

  /** What one version asks for a thing; null where it asks for none or takes too long to read. */
  offer({
    page,
    content,
  }: {
    readonly page: PageRecord
    readonly content: KeptContent
  }): Promise<Offer | null> {
    const args = ([answer]: readonly ContentAnswer[]) => [answer, { page: needed(page) }]
    return this.#call<Offer | null>('offerOf', { page, contents: [content] }, args).catch(
      (error: unknown) => {
        overrun(error)
        return null
      },
    )
  }

  /** A rule for a line; one for lines like it where the contents take too long to look through. */
  rule(line: string, htmls: readonly string[]): Promise<FoundRule> {
    const given = () => ({ args: [line, htmls] })
    return this.#calls
      .call<FoundRule>({ module: jobs, name: 'ruleFromLine', given })
      .catch((error: unknown) => {
        overrun(error)
        return { kind: 'lines', expression: lineExpression(line) }
      })
  }

  /** Line by line, in a view. */
  lines(pair: VersionPair, asked: LinesAsked): Promise<LinesBetween> {
    return this.#between<LinesBetween>('linesBetween', pair, { asked }).catch(overrun)
  }

  /** In short, of what is compared, with which of some words each text has. */
  async change(
    pair: VersionPair & { readonly before: KeptContent },
    words: readonly string[] = [],
  ): Promise<ChangeBetween> {
    const { page, before, after } = pair
    const rules = [page.settings.reading ?? null, page.noise ?? null, words]
    const key = JSON.stringify([before.version.digest, after.version.digest, page.url, ...rules])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = await this.#between<ChangeBetween>('changeBetween', pair, { words }).catch(
      (error: unknown) => ({ title: null, ...overrun(error) }),
    )
    this.#known.set(key, made)
    return made
  }

  close(): Promise<void> {
    return this.#calls.close()
  }

  #between<T>(name: string, { page, before, after }: VersionPair, more: object): Promise<T> {
    const contents = before === null ? [after] : [before, after]
    return this.#call(name, { page, contents }, (answers) => {
      const [first, second] = answers
      const pair =
        before === null ? { before: null, after: first } : { before: first, after: second }
      return [pair, { page: needed(page), ...more }]
    })
  }

  #call<T>(
    name: string,
    { page, contents }: { page: PageRecord; contents: readonly KeptContent[] },
    args: (answers: readonly ContentAnswer[]) => readonly unknown[],
  ): Promise<T> {
    const pdfs = contents.filter((each) => isPdf(answerOf(each, page))).length
    return this.#calls.call<T>({
      module: jobs,
      name,
      given() {
        // Copies, given away to the thread.
        const bodies = contents.map(({ body }) => new Uint8Array(body))
        const answers = contents.map((each, i) => answerOf({ ...each, body: bodies[i]! }, page))
        return { args: args(answers), transfer: bodies.map(({ buffer }) => buffer) }
      },
      ...(pdfs === 0 ? {} : { time: this.#pdfTime * pdfs }),
    })
  }
}

/** In words. */
export function whyIncomparable(found: Incomparable): string {
  if (found.kind !== 'unreadable')
    return found.kind === 'no-text'
      ? 'there is no text to compare; the bytes differ'
      : 'the texts are too long to be compared'
  return found.at === null
    ? `the difference could not be found: ${found.reason}`
    : `the copy of ${humanTime(found.at)} cannot be read by the rules of this page: ${found.reason}`
}

/** A limit was met, or the rules are none: the page's own fault. */
function overrun(error: unknown): Incomparable {
  if (!(error instanceof RevisitError)) throw error
  return { kind: 'unreadable', at: null, reason: error.message }
}

function needed({ url, settings, noise, visits, lastSeen }: PageRecord): ReadPage {
  return { url, settings, noise, visits, lastSeen }
}

/** A kept content as the answer it came in. */
function answerOf({ version, body }: KeptContent, { url }: PageRecord): ContentAnswer {
  const { at, mediaType, headers } = version
  const type = mediaType ?? headers?.['content-type']
  return {
    kind: 'content',
    status: 200,
    at,
    url,
    headers: type === undefined ? {} : { 'content-type': type },
    body,
    bytesReceived: 0,
  }
}
