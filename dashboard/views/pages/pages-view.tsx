import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageSort } from '../../../src/model/page.js'
import { request } from '../../api/request.js'
import { linkTo, type Route, replaceQuery } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { Empty, Failed, Loading, NoPages } from '../../parts/states.js'
import { count, plural } from '../../parts/words.js'
import { AddDialog } from './add-dialog.js'
import { BulkBar } from './bulk-bar.js'
import { PageRows } from './page-rows.js'
import { searchOf } from './page-search.js'
import { PageTable } from './page-table.js'
import { Sparks } from './sparks.js'
import { Toolbar } from './toolbar.js'

/** Pages that were visited while in sight, brought up to date so often and so many at a time. */
const refreshEvery = 1500
const refreshMost = 12
/** Every so many times all rows in sight: visits are planned anew without one, such as for another price. */
const refreshAllEvery = 14

/** All pages that are followed. */
export default function PagesView({ route }: { route: Route }) {
  const [, setTurn] = useState(0)
  const changed = useCallback(() => setTurn((before) => before + 1), [])
  const [again, setAgain] = useState(0)
  const { add: _, from, ...query } = route.query
  const key = JSON.stringify([query, again])
  const search = useMemo(() => searchOf(route.query), [key])
  const rows = useMemo(() => new PageRows(search, changed), [key])
  const sparks = useMemo(() => new Sparks(changed), [again])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    rows.want(0)
    return () => rows.close()
  }, [rows])
  useEffect(() => () => sparks.close(), [sparks])
  const readVisible = useFreshRows(rows, sparks)
  const adding = route.query.add === '1'
  const choose = useCallback((id: string) => setChosen((before) => toggled(before, id)), [])
  const sort = (by: PageSort) =>
    replaceQuery(route, {
      sort: by,
      down: search.sort === by && !search.descending ? '1' : undefined,
    })
  const filtered = [query.q, query.host, query.group, query.outcome, query.due].some(Boolean)
  return (
    <div class="pages-view">
      <div class="head">
        <h1>Pages</h1>
        <div class="row">
          <span class="muted" role="status">
            {rows.started ? plural(rows.total, 'page') : ''}
            {rows.started && rows.loaded < rows.total ? `, ${count(rows.loaded)} loaded` : ''}
          </span>
          <a class="button first" href={linkTo(['pages'], { ...query, add: '1' })}>
            Add pages
          </a>
        </div>
      </div>
      <Toolbar search={search} onChange={(change) => replaceQuery(route, change)} />
      {chosen.size === 0 ? null : (
        <BulkBar
          chosen={chosen}
          onDone={() => setAgain((before) => before + 1)}
          onClear={() => setChosen(new Set())}
        />
      )}
      {!rows.started ? (
        rows.error === undefined ? (
          <Loading what="pages" />
        ) : (
          <Failed error={rows.error} retry={() => rows.retry()} />
        )
      ) : rows.total === 0 ? (
        <Nothing filtered={filtered} />
      ) : (
        <PageTable
          key={key}
          {...{ rows, sparks, search, chosen }}
          onSort={sort}
          onChoose={choose}
          onChooseAll={() =>
            setChosen((before) => (before.size >= rows.loaded ? new Set() : new Set(rows.ids())))
          }
          onVisible={readVisible}
        />
      )}
      {adding ? (
        <AddDialog
          importing={from === 'file'}
          onDone={() => setAgain((before) => before + 1)}
          onClose={() => replaceQuery(route, { add: undefined, from: undefined })}
        />
      ) : null}
    </div>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty title="No page passes these filters.">
      <p>
        <a href="#/pages">Show all pages</a>
      </p>
    </Empty>
  ) : (
    <NoPages />
  )
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(id)) after.add(id)
  return after
}

/** Keeps the rows in sight up to date as their pages are visited; gives the teller of what is in sight. */
function useFreshRows(rows: PageRows, sparks: Sparks): (ids: readonly string[]) => void {
  const { onVisit } = useService()
  const readVisible = useRef(new Set<string>())
  useEffect(() => {
    const stale = new Set<string>()
    const forget = onVisit(({ page }) => {
      if (readVisible.current.has(page.id)) stale.add(page.id)
    })
    let times = 0
    const timer = setInterval(async () => {
      if (document.hidden) return
      const all = ++times % refreshAllEvery === 0
      // A first visit may be made between the fetch of a row and its sight: those are asked for again.
      for (const id of readVisible.current)
        if (all || rows.of(id)?.lastVisit === null) stale.add(id)
      // What was in sight before a page was removed, or a filter left nothing, is no row any more.
      for (const id of stale)
        if (!readVisible.current.has(id) || rows.of(id) === undefined) stale.delete(id)
      const some = [...stale].slice(0, refreshMost)
      for (const id of some) {
        stale.delete(id)
        sparks.forget(id)
        await request('GET pages/:id', { params: { id } }).then(
          (page) => rows.put(page),
          () => {},
        )
      }
      if (some.length > 0) sparks.want([...readVisible.current])
    }, refreshEvery)
    return () => {
      forget()
      clearInterval(timer)
    }
  }, [rows, sparks])
  return useCallback(
    (ids: readonly string[]) => {
      readVisible.current = new Set(ids)
      sparks.want(ids)
    },
    [sparks],
  )
}
