import { useState } from 'preact/hooks'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'

/** What can be done to one page. */
export function PageActions({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const { now } = useService()
  const [error, setError] = useState<string>()
  const act = async (work: () => Promise<unknown>, after: () => void) => {
    setError(undefined)
    try {
      await work()
      after()
    } catch (thrown) {
      setError(apiError(thrown).message)
    }
  }
  const due = (at: number | 'never', reason: string) =>
    act(
      () => request('PATCH pages/:id', { params: { id: page.id }, body: { due: { at, reason } } }),
      reload,
    )
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
            act(
              () => request('DELETE pages/:id', { params: { id: page.id } }),
              () => {
                location.hash = '#/pages'
              },
            )
        }}
      >
        Remove …
      </button>
      {error === undefined ? null : (
        <span role="alert" class="alert">
          {error}
        </span>
      )}
    </div>
  )
}
