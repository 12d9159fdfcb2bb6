import type { VersionDiffs } from '../../content/bounded/version-diffs.js'
import { EnvironmentError } from '../../model/errors.js'
import type { NewChange } from '../../model/inbox.js'
import type { Store } from '../../model/store.js'
import type { Clock, Seconds } from '../../model/units.js'
import type { LoggedVisit } from '../../model/visit-record.js'
import { isOfList, seenChange } from '../visit-notice.js'

/** The setting that holds the number of the last visit whose change is in the inbox. */
const cursorSetting = 'inbox-cursor'
/** Changes read in one go. */
const stretch = 200
/** Further behind than this, changes come into the inbox without their words: a crawler may find thousands a minute. */
const mostDescribed = 2000
/** Changes that an inbox begins with: they come in one go, the newest with the oldest. */
const firstChanges = stretch
/** Changes kept in the inbox. */
const mostChanges = 100_000
/** Changes added before the oldest are looked for. */
const tidyEvery = 1000

export interface InboxWriterOptions {
  readonly store: Store
  readonly collection: string
  readonly diffs: VersionDiffs
  readonly clock: Clock
  readonly pollEvery?: Seconds
  readonly onError?: (error: unknown) => void
}

/**
 * Brings changes from the log of visits into the inbox. A change is known by
 * the number of its visit, so that two processes, or one that was killed, may
 * write the same without harm: the cursor moves after what it passed was kept.
 */
export class InboxWriter {
  readonly #options: InboxWriterOptions
  #sinceTidy = tidyEvery

  constructor(options: InboxWriterOptions) {
    this.#options = options
  }

  /** Keeps at it until stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, pollEvery = 1, onError = () => {} } = this.#options
    while (!signal.aborted) {
      await this.catchUp(signal).catch(onError)
      await clock.sleep(pollEvery, signal)
    }
  }

  /** Writes what is in the log and not in the inbox, as far as it gets. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    const { store, collection } = this.#options
    let cursor = await this.#cursor()
    const last = await store.lastVisitNumber()
    while (cursor < last && signal?.aborted !== true) {
      const query = { collection, after: cursor, changesOnly: true, limit: stretch }
      const visits = await store.visitLog(query)
      const behind = visits.length === stretch && (await this.#isFarBehind(cursor))
      const { changes, passed } = await this.#described(visits, { behind, signal })
      if (changes.length > 0) await store.inbox.add(collection, changes)
      await this.#tidy(changes.length)
      const whole = passed === visits.length && visits.length < stretch
      const to = whole ? last : (visits[passed - 1]?.number ?? cursor)
      if (to === cursor) return
      await store.putSetting(collection, cursorSetting, to)
      cursor = to
    }
  }

  /** An inbox that is begun on an older store begins with its newest changes. */
  async #cursor(): Promise<number> {
    const { store, collection } = this.#options
    const kept = await store.getSetting(collection, cursorSetting)
    if (typeof kept === 'number') return kept
    const newest = { collection, changesOnly: true, newestFirst: true, limit: firstChanges }
    const visits = await store.visitLog(newest)
    return visits.length < firstChanges ? 0 : visits[firstChanges - 1]!.number - 1
  }

  async #isFarBehind(after: number): Promise<boolean> {
    const { store, collection } = this.#options
    const query = { collection, after, changesOnly: true, limit: mostDescribed + 1 }
    return (await store.visitLog(query)).length > mostDescribed
  }

  /** As far as there is time. */
  async #described(
    visits: readonly LoggedVisit[],
    { behind, signal }: { readonly behind: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<{ readonly changes: readonly NewChange[]; readonly passed: number }> {
    const changes: NewChange[] = []
    let passed = 0
    for (const visit of visits) {
      if (signal?.aborted === true) break
      if (!(await isOfList(visit, this.#options)))
        changes.push(behind ? bare(visit, tooMany) : await this.#change(visit))
      passed++
    }
    return { changes, passed }
  }

  async #change(visit: LoggedVisit): Promise<NewChange> {
    const { number, page, at } = visit
    try {
      const { title, previous, change, note } = await seenChange({ page, at }, this.#options)
      return {
        number,
        page: page.id,
        at,
        previous,
        title,
        removed: change?.excerpt.removed ?? '',
        added: change?.excerpt.added ?? '',
        share: change?.share ?? null,
        note,
        text: change?.diff ?? '',
      }
    } catch (error) {
      // A store that fails is asked again; a change that cannot be described never will be.
      if (error instanceof EnvironmentError) throw error
      return bare(visit, `this change cannot be described: ${(error as Error).message}`)
    }
  }

  async #tidy(added: number): Promise<void> {
    this.#sinceTidy += added
    if (this.#sinceTidy < tidyEvery) return
    this.#sinceTidy = 0
    await this.#options.store.inbox.keepNewest(this.#options.collection, mostChanges)
  }
}

const tooMany = 'too many changes at once to show their words here; the page has its difference'

function bare({ number, page, at }: LoggedVisit, note: string): NewChange {
  const words = { title: null, removed: '', added: '', share: null, text: '' }
  return { number, page: page.id, at, previous: null, ...words, note: note.slice(0, 300) }
}
