import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageSort } from '../../../src/model/page.js'
import { useService } from '../../app/service.js'
import { useTick } from '../../app/use-tick.js'
import { Failed } from '../../parts/states.js'
import { PageRow } from './page-row.js'
import type { PageRows } from './page-rows.js'
import type { PageSearch } from './page-search.js'
import type { Sparks } from './sparks.js'

/** As the style has it; on a phone the address stands below the title. */
const rowHeights = { wide: 36, phone: 52 }
/** Rows rendered beyond those in sight, above and below. */
const beyond = 8

const columns: readonly { name: string; title: string; sort?: PageSort }[] = [
  { name: 'url', title: 'Page', sort: 'url' },
  { name: 'spark', title: 'Last visits' },
  { name: 'period', title: 'Every' },
  { name: 'last', title: 'Last visit', sort: 'lastVisit' },
  { name: 'change', title: 'Last change', sort: 'lastChange' },
  { name: 'due', title: 'Due', sort: 'due' },
  { name: 'visits', title: 'Visits' },
]

interface PageTableProps {
  readonly rows: PageRows
  readonly sparks: Sparks
  readonly search: PageSearch
  readonly chosen: ReadonlySet<string>
  readonly onSort: (sort: PageSort) => void
  readonly onChoose: (id: string) => void
  readonly onChooseAll: () => void
  /** Called with the pages in sight. */
  readonly onVisible: (ids: readonly string[]) => void
}

/** Only the rows in sight are in the document, however many there are. */
export function PageTable(props: PageTableProps) {
  const { rows, sparks, search, chosen } = props
  const { now } = useService()
  useTick(2000)
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ top: 0, height: 700, row: rowHeights.wide })
  const rowHeight = place.row
  useEffect(() => {
    const element = box.current!
    const phone = matchMedia('(max-width: 720px)')
    const measure = () =>
      setPlace({
        top: element.scrollTop,
        height: element.clientHeight,
        row: phone.matches ? rowHeights.phone : rowHeights.wide,
      })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      watch.disconnect()
    }
  }, [])
  const total = rows.total
  const first = Math.max(0, Math.min(total, Math.floor(place.top / rowHeight)) - beyond)
  const last = Math.min(total, Math.ceil((place.top + place.height) / rowHeight) + beyond)
  const readVisible = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  const ids = readVisible.flatMap((each) => rows.at(each)?.id ?? [])
  const visibleKey = ids.join(',')
  useEffect(() => {
    rows.want(last + 50)
    props.onVisible(ids)
  }, [rows, last, visibleKey])
  const second = Math.floor(now())
  // By script: the Content-Security-Policy allows no style attributes. A short list has no empty box below it.
  useEffect(() => {
    if (box.current !== null) box.current.style.maxHeight = `${(total + 1) * rowHeight + 12}px`
  }, [total, rowHeight])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="page-table" ref={box} tabIndex={0} aria-label="Table of pages">
      <table aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="c-choose">
              <label>
                <input
                  type="checkbox"
                  aria-label="Choose all pages that are loaded"
                  checked={chosen.size > 0 && chosen.size >= rows.loaded}
                  onChange={props.onChooseAll}
                />
              </label>
            </th>
            {columns.map((column) => (
              <ColumnHead key={column.name} {...{ column, search }} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * rowHeight} />
          {readVisible.map((each) => {
            const page = rows.at(each)
            if (page === undefined) return <WaitingRow key={each} place={each} />
            return (
              <PageRow
                key={page.id}
                page={page}
                place={each}
                chosen={chosen.has(page.id)}
                spark={sparks.of(page.id)}
                now={second}
                onChoose={props.onChoose}
              />
            )
          })}
          <Spacer height={(total - last) * rowHeight} />
        </tbody>
      </table>
      {rows.error === undefined ? null : <Failed error={rows.error} retry={() => rows.retry()} />}
    </section>
  )
}

function ColumnHead({
  column: { name, title, sort },
  search,
  onSort,
}: {
  column: (typeof columns)[number]
  search: PageSearch
  onSort: (sort: PageSort) => void
}) {
  const kind = name === 'visits' ? 'c-visits number' : `c-${name}`
  if (sort === undefined)
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    )
  const sorted = search.sort === sort
  const way = sorted ? (search.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" class={kind} aria-sort={way}>
      <button type="button" class="plain" onClick={() => onSort(sort)}>
        {title}
        <span aria-hidden="true">{sorted ? (search.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}

function Spacer({ height }: { height: number }) {
  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    // By script: the Content-Security-Policy allows no style attributes.
    if (cell.current !== null) cell.current.style.height = `${height}px`
  }, [height])
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that only holds room is not focusable
    <tr class="spacer" aria-hidden="true">
      {/* One cell: a span over columns that a phone does not show would make room for them. */}
      <td ref={cell} />
    </tr>
  )
}

function WaitingRow({ place }: { place: number }) {
  return (
    <tr aria-rowindex={place + 2}>
      <td class="c-choose" />
      <td class="c-url muted">Loading …</td>
    </tr>
  )
}
