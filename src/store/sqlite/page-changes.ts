import type { PageChange } from '../../model/index.js'
import { checkChange } from '../checked-request.js'
import { packNumbers } from '../sparse-numbers.js'
import type { Database } from './database.js'
import type { Frontier, Place } from './frontier.js'
import type { Snapshots } from './snapshots.js'
import { queries, type SqlValue } from './statement.js'
import type { Visits } from './visits.js'

/** Pages changed by hand, and taken away with all that belongs to them. */
export class PageChanges {
  readonly #db: Database
  readonly #frontier: Frontier
  readonly #visits: Visits
  readonly #snapshots: Snapshots
  readonly #place
  readonly #delete
  readonly #dropLease
  readonly #overrule

  constructor({
    db,
    frontier,
    visits,
    snapshots,
  }: {
    readonly db: Database
    readonly frontier: Frontier
    readonly visits: Visits
    readonly snapshots: Snapshots
  }) {
    this.#db = db
    this.#frontier = frontier
    this.#visits = visits
    this.#snapshots = snapshots
    this.#place = db.statement((q, slot) =>
      q.selectFrom('pages').select(['collection', 'host']).where('id', '=', slot('id')),
    )
    this.#delete = db.statement((q, slot) => q.deleteFrom('pages').where('id', '=', slot('id')))
    this.#dropLease = db.statement((q, slot) =>
      q.deleteFrom('leases').where('page', '=', slot('id')),
    )
    this.#overrule = db.statement((q, slot) =>
      q.updateTable('leases').set({ due_set: 1 }).where('page', '=', slot('id')),
    )
  }

  change(id: number, change: PageChange): void {
    checkChange(change)
    const columns = changedColumns(change)
    if (Object.keys(columns).length === 0) return
    this.#db.once(queries.updateTable('pages').set(columns).where('id', '=', id))
    if (change.due === undefined) return
    this.#overrule().run({ id })
    this.#frontier.settle(this.#placeOf(id), null)
  }

  remove(id: number): void {
    const place = this.#placeOf(id)
    this.#visits.removeAll(id)
    this.#snapshots.removeAll(id)
    this.#dropLease().run({ id })
    this.#delete().run({ id })
    this.#frontier.grow(place, -1)
    this.#frontier.settle(place, null)
    this.#frontier.dropIfEmpty(place)
  }

  #placeOf(id: number): Place {
    return this.#place().first({ id })!
  }
}

function changedColumns({ group, importance, settings, due, state, hints, noise }: PageChange) {
  const columns: Record<string, SqlValue> = {}
  if (group !== undefined) columns.page_group = group
  if (importance !== undefined) columns.importance = importance
  if (settings !== undefined) columns.settings = JSON.stringify(settings)
  if (due !== undefined) {
    columns.due = due.at === 'never' ? null : due.at
    columns.reason = due.reason
  }
  if (state !== undefined) {
    columns.learner = state?.learner ?? null
    columns.state = state === null ? null : packNumbers(state.numbers)
  }
  if (hints !== undefined) columns.hints = JSON.stringify(hints)
  if (noise !== undefined) columns.noise = JSON.stringify(noise)
  return columns
}
