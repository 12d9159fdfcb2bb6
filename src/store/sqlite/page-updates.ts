import { sql } from 'kysely'
import { outcomes } from '../../model/index.js'
import { afterVisit, type Counted } from '../after-visit.js'
import { packNumbers } from '../sparse-numbers.js'
import type { Database } from './database.js'
import type { PageBefore } from './page-row.js'
import type { SlotOf } from './statement.js'
import type { WrittenVisit } from './written-visit.js'

/** Writes to pages what follows from their visits. */
export class PageUpdates {
  readonly #plain
  readonly #told

  constructor(db: Database) {
    this.#plain = updates(db, { told: false })
    this.#told = updates(db, { told: true })
  }

  /** With what was counted before the visit, and the number it has in the log. */
  update(
    visit: WrittenVisit,
    { newest, before }: { readonly newest: number; readonly before: PageBefore },
  ): void {
    const { at, outcome, status } = visit
    const { due, reason } = before.set ?? visit
    const counted: Counted = afterVisit(before, { at, outcome: outcomes[outcome]!, status })
    const { changed, unchanged } = tellsMore(visit) ? this.#told : this.#plain
    const statement = counted.changes > before.changes ? changed() : unchanged()
    statement.execute({
      page: visit.page,
      token: visit.token,
      newest,
      due,
      reason,
      learner: visit.learner,
      state: visit.state === null ? null : packNumbers(visit.state),
      told: visit.told,
      etag: visit.etag,
      lastModified: visit.modified,
      fingerprint: visit.fingerprint,
      hints: visit.hints,
      noise: visit.noise,
      movedTo: visit.movedTo,
      at,
      outcome,
      status,
      lastSeen: counted.lastSeen,
      lastChange: counted.lastChange,
      visits: counted.visits,
      changes: counted.changes,
      failing: counted.failing,
      gone: counted.gone,
    })
  }
}

/** Whether anything follows from it for the page but its state, counts and due time. Most visits tell no more. */
function tellsMore(visit: WrittenVisit): boolean {
  const { told, fingerprint, hints, noise, movedTo } = visit
  return told === 1 || fingerprint !== null || hints !== null || noise !== null || movedTo !== null
}

function updates(db: Database, { told }: { readonly told: boolean }) {
  return {
    changed: db.statement((_, slot) => update(slot, { changed: true, told })),
    unchanged: db.statement((_, slot) => update(slot, { changed: false, told })),
  }
}

/**
 * Null slots of what a report left out keep what was there; JSON's null is the
 * text `null`. A column that is set is written to each index that has it, also
 * where its value stays: the time of the last change is set only by a change.
 */
function update(
  slot: SlotOf,
  { changed, told }: { readonly changed: boolean; readonly told: boolean },
) {
  const change = sql`last_change = ${slot('lastChange')}, changes = ${slot('changes')},`
  const more = sql`
      etag = iif(${slot('told')}, ${slot('etag')}, etag),
      last_modified = iif(${slot('told')}, ${slot('lastModified')}, last_modified),
      fingerprint = coalesce(${slot('fingerprint')}, fingerprint),
      hints = coalesce(${slot('hints')}, hints), noise = coalesce(${slot('noise')}, noise),
      moved_to = nullif(coalesce(${slot('movedTo')}, moved_to), ''),`
  return sql<never>`
    update pages set
      due = ${slot('due')}, reason = ${slot('reason')}, newest_visit = ${slot('newest')},
      last_token = ${slot('token')},
      learner = coalesce(${slot('learner')}, learner), state = coalesce(${slot('state')}, state),
      ${told ? more : sql``} last_at = ${slot('at')}, last_outcome = ${slot('outcome')}, last_status = ${slot('status')},
      ${changed ? change : sql``} last_seen = ${slot('lastSeen')}, visits = ${slot('visits')},
      failing = ${slot('failing')}, gone = ${slot('gone')}
    where id = ${slot('page')}`
}
