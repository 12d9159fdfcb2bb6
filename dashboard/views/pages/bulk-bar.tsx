import { useState } from 'preact/hooks'
import type { UnixSeconds } from '../../../src/model/units.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useAct } from '../../app/use-act.js'
import { Refused } from '../../parts/states.js'
import { plural } from '../../parts/words.js'

const together = 8

/** What can be done to all chosen pages. */
export function BulkBar({
  chosen,
  onDone,
  onClear,
}: {
  chosen: ReadonlySet<string>
  onDone: () => void
  onClear: () => void
}) {
  const { now } = useService()
  const [doing, setDoing] = useState('')
  const { act: begin, busy, error } = useAct()
  const ids = [...chosen]
  const act = (what: string, work: () => Promise<unknown>) => {
    setDoing(what)
    return begin(() => work().then(onDone))
  }
  const change = (body: unknown) => changeAll(ids, body)
  const dueAt = (at: UnixSeconds | 'never', reason: string) => change({ due: { at, reason } })
  return (
    <section class="row bulk" aria-label="Chosen pages">
      <span class="strong">{plural(ids.length, 'page')} chosen</span>
      <button
        type="button"
        disabled={busy}
        onClick={() => act('visiting', () => dueAt(now(), 'asked for in the dashboard'))}
      >
        Visit now
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => act('pausing', () => dueAt('never', 'paused in the dashboard'))}
      >
        Pause
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => {
          const group = prompt('Group for the chosen pages (empty for none):')
          if (group !== null)
            act('grouping', () => change({ group: group.trim() === '' ? null : group.trim() }))
        }}
      >
        Group …
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => {
          const importance = Number(
            prompt('Importance of the chosen pages (1 is usual):', '1') ?? '',
          )
          if (importance > 0) act('weighing', () => change({ importance }))
        }}
      >
        Importance …
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => {
          const sure = confirm(
            `Remove ${plural(ids.length, 'page')} with all visits and kept contents? This cannot be undone.`,
          )
          if (sure)
            act('removing', () =>
              request('POST pages/remove', { body: { pages: ids } }).then(onClear),
            )
        }}
      >
        Remove …
      </button>
      <button type="button" class="plain" onClick={onClear}>
        Clear
      </button>
      <span role="status">{busy ? `${doing} …` : ''}</span>
      <Refused error={error} inline />
    </section>
  )
}

/** One call a page, a few at a time. */
async function changeAll(ids: readonly string[], body: unknown): Promise<void> {
  const left = [...ids]
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      await request('PATCH pages/:id', { params: { id }, body })
  }
  await Promise.all(Array.from({ length: together }, work))
}
