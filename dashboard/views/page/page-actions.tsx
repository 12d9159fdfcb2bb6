import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useAct } from '../../app/use-act.js'
import { Refused } from '../../parts/states.js'

/** What can be done to one page. */
export function PageActions({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const { now } = useService()
  const { act, error } = useAct()
  const params = { id: page.id }
  const due = (at: number | 'never', reason: string) =>
    act(() => request('PATCH pages/:id', { params, body: { due: { at, reason } } }).then(reload))
  return (
    <div class="row">
      <button type="button" class="first" onClick={() => due(now(), 'asked for in the dashboard')}>
        Visit now
      </button>
      <button type="button" onClick={() => due('never', 'paused in the dashboard')}>
        Pause
      </button>
      <a class="button" href={linkTo(['lab'], { page: page.id })}>
        Try in the lab
      </a>
      <button
        type="button"
        onClick={() => {
          if (confirm('Remove this page with all visits and kept contents? This cannot be undone.'))
            act(async () => {
              await request('DELETE pages/:id', { params })
              location.hash = '#/pages'
            })
        }}
      >
        Remove …
      </button>
      <Refused error={error} inline />
    </div>
  )
}
