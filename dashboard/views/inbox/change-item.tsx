import type { UnixSeconds } from '../../../src/model/units.js'
import { linkTo } from '../../app/route.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Address } from '../../parts/page-name.js'
import { ChangeTime } from '../../parts/time.js'
import { sentence } from '../../parts/words.js'
import type { ChangeAnswer } from './use-changes.js'

/** One change: where, what it is called, the words that went and came, and when. */
export function ChangeItem({
  change,
  now,
  onSeen,
}: {
  change: ChangeAnswer
  now: UnixSeconds
  onSeen: (seen: boolean) => void
}) {
  const { page, at, number, removed, added, note, seen } = change
  const title = change.title ?? page.title
  const groups = [...(page.group === null ? [] : [page.group]), ...page.tags]
  return (
    <li class={seen ? 'change' : 'change unread'} data-number={number}>
      <div class="change-head">
        <span class="change-site muted">
          <OutsideText text={page.host} />
        </span>
        {groups.map((group) => (
          <a key={group} class="label" href={linkTo(['inbox'], { group })}>
            <OutsideText text={group} />
          </a>
        ))}
        <span class="change-when muted nowrap">
          <ChangeTime at={at} now={now} />
        </span>
        <button
          type="button"
          class="plain small"
          aria-label={seen ? 'Mark as unread' : 'Mark as read'}
          title={seen ? 'Mark as unread (m)' : 'Mark as read (m)'}
          onClick={() => onSeen(!seen)}
        >
          <span class={seen ? 'dot' : 'dot on'} />
        </button>
      </div>
      <a
        class="change-link"
        href={linkTo(['pages', page.id], { change: String(at) })}
        onClick={() => seen || onSeen(true)}
      >
        {title === null || title.trim() === '' ? (
          <Address url={page.url} />
        ) : (
          <OutsideText text={title} />
        )}
        {seen ? null : <span class="unseen"> (unread)</span>}
      </a>
      {removed === '' ? null : <Words mark="−" label="removed" kind="removed" text={removed} />}
      {added === '' ? null : <Words mark="+" label="added" kind="added" text={added} />}
      {removed === '' && added === '' ? (
        <p class="change-words muted">
          {note === null ? 'No words to show.' : <OutsideText text={sentence(note)} />}
        </p>
      ) : null}
    </li>
  )
}

function Words({
  mark,
  label,
  kind,
  text,
}: {
  mark: string
  label: string
  kind: 'removed' | 'added'
  text: string
}) {
  return (
    <p class="change-words">
      <span aria-hidden="true" class={`change-mark ${kind}`}>
        {mark}
      </span>
      <span class="unseen">{label}: </span>
      <OutsideText text={text} />
    </p>
  )
}
