import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { useLoad } from '../../app/use-load.js'
import { Refused } from '../../parts/states.js'

/** Where next to nothing stands in a page before its scripts run: a browser would help. */
export function BrowserAdvice({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const key = `advice ${page.id} ${page.fingerprint} ${page.settings.browser}`
  const params = { id: page.id }
  const { data } = useLoad(key, (signal) => request('GET pages/:id/advice', { params, signal }))
  const { act, busy, error } = useAct()
  if (data?.advice == null) return null
  return (
    <div class="panel advice" role="note">
      <p>
        Next to nothing stands in this page before its scripts run, so there is little to compare.
        Let a browser render it.
      </p>
      <button
        type="button"
        disabled={busy}
        onClick={() =>
          act(async () => {
            await request('PATCH pages/:id', { params, body: { settings: { browser: true } } })
            reload()
          })
        }
      >
        Use the browser for this page
      </button>
      <Refused error={error} />
    </div>
  )
}
