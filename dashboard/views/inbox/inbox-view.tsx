import { useEffect, useState } from 'preact/hooks'
import { linkTo, type Route, replaceQuery } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useAct } from '../../app/use-act.js'
import { useTick } from '../../app/use-tick.js'
import { Field } from '../../parts/field.js'
import { Empty, Failed, Loading, NoPages, Refused } from '../../parts/states.js'
import { TypedField } from '../../parts/typed-field.js'
import { count, plural } from '../../parts/words.js'
import { ChangeItem } from './change-item.js'
import { type ChangeSearch, type Changes, useChanges } from './use-changes.js'
import { useInboxKeys } from './use-inbox-keys.js'

/** What changed, the newest first, unread until seen. */
export function InboxView({ route }: { route: Route }) {
  const { now, unseen } = useService()
  useTick(20_000)
  const search: ChangeSearch = {
    group: route.query.group ?? '',
    search: route.query.q ?? '',
    unseen: route.query.unread === '1',
  }
  const changes = useChanges(search)
  const { act, busy, error } = useAct()
  useInboxKeys(changes)
  const waiting = unseen?.unseen ?? 0
  const isPart = search.group !== '' || search.search !== ''
  return (
    <>
      <div class="head">
        <h1>Inbox</h1>
        <div class="row">
          <span class="muted" role="status">
            {unseen === undefined
              ? ''
              : waiting === 0
                ? 'All read'
                : `${count(waiting)} unread${isPart ? ' in all' : ''}`}
          </span>
          <button
            type="button"
            disabled={busy || waiting === 0 || (changes.list ?? []).length === 0}
            onClick={() => act(changes.markAll)}
          >
            {isPart ? 'Mark these read' : 'Mark all read'}
          </button>
        </div>
      </div>
      <Filters route={route} search={search} />
      <Refused error={error} />
      {changes.error === undefined ? null : <Failed error={changes.error} retry={changes.retry} />}
      {changes.list === undefined ? (
        changes.error === undefined ? (
          <Loading what="changes" />
        ) : null
      ) : changes.list.length === 0 ? (
        <Nothing search={search} />
      ) : (
        <>
          <ol class="inbox" aria-label="Changes, the newest first">
            {changes.list.map((change) => (
              <ChangeItem
                key={change.number}
                change={change}
                now={now()}
                onSeen={(seen) => changes.mark([change.number], seen)}
              />
            ))}
          </ol>
          <More changes={changes} />
        </>
      )}
    </>
  )
}

function Filters({ route, search }: { route: Route; search: ChangeSearch }) {
  const { unseen } = useService()
  const [known, setKnown] = useState<readonly string[]>([])
  useEffect(() => {
    const named = [...(unseen?.groups.map(({ name }) => name) ?? []), search.group]
    setKnown((before) => [...new Set([...before, ...named.filter(Boolean)])].sort())
  }, [unseen, search.group])
  const unread = (name: string) => unseen?.groups.find((each) => each.name === name)?.unseen ?? 0
  return (
    <search class="row align-end toolbar">
      <TypedField
        name="Title, address or words"
        value={search.search}
        onValue={(q) => replaceQuery(route, { q })}
      />
      {known.length === 0 ? null : (
        <Field name="Group or tag">
          <select
            value={search.group}
            onChange={(event) => replaceQuery(route, { group: event.currentTarget.value })}
          >
            <option value="">all</option>
            {known.map((name) => (
              <option key={name} value={name}>
                {name}
                {unread(name) === 0 ? '' : ` (${unread(name)})`}
              </option>
            ))}
          </select>
        </Field>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={search.unseen}
          onChange={(event) =>
            replaceQuery(route, { unread: event.currentTarget.checked ? '1' : undefined })
          }
        />
        only unread
      </label>
      <span class="muted small keys-hint">
        <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Enter</kbd> open, <kbd>m</kbd> read or unread
      </span>
    </search>
  )
}

function Nothing({ search }: { search: ChangeSearch }) {
  const { overview, error, reload } = useService()
  if (search.group !== '' || search.search !== '' || search.unseen)
    return (
      <Empty title={search.unseen ? 'Nothing unread here.' : 'No change fits this search.'}>
        <p>
          <a href={linkTo(['inbox'])}>All changes</a>
        </p>
      </Empty>
    )
  if (overview === undefined)
    return error === undefined ? (
      <Loading what="changes" />
    ) : (
      <Failed error={error} retry={reload} />
    )
  const { pages } = overview.health
  if (pages === 0) return <NoPages />
  return (
    <Empty title="Nothing has changed yet.">
      <p>
        {plural(pages, 'page is', 'pages are')} followed. What changes on them appears here.{' '}
        <a href="#/pages">See the pages</a>
      </p>
    </Empty>
  )
}

function More({ changes }: { changes: Changes }) {
  if (!changes.more) return null
  return (
    <div class="row turn">
      <button type="button" onClick={changes.loadMore}>
        Older changes
      </button>
    </div>
  )
}
