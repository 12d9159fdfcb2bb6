import { useEffect } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { useTick } from '../../app/use-tick.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { dueWords, shortUrl } from '../../parts/words.js'

/** What is visited next, and why. */
export function DueSoon() {
  const { now } = useService()
  const turn = Math.floor(useTick(1000) / 5)
  const loaded = useLoad('due-soon', (signal) =>
    request('GET pages', { query: { sort: 'due', limit: 8 }, signal }),
  )
  useReloadAt(turn, loaded.reload)
  return (
    <Panel title="Due next">
      <LoadedView loaded={loaded} what="what is due">
        {({ pages }) => (
          <div class="scrolled">
            <table class="due-table">
              <thead>
                <tr>
                  <th scope="col">Page</th>
                  <th scope="col">due</th>
                  <th scope="col">changes every</th>
                  <th scope="col">why then</th>
                </tr>
              </thead>
              <tbody>
                {pages.map((page) => (
                  <tr key={page.id}>
                    <th scope="row">
                      <a href={linkTo(['pages', page.id])}>
                        <OutsideText text={shortUrl(page.url)} />
                      </a>
                    </th>
                    <td class="nowrap">{dueWords(page.due.at, now())}</td>
                    <td class="nowrap">
                      {page.changePeriod === null ? '–' : humanDuration(page.changePeriod)}
                    </td>
                    <td class="muted">
                      <OutsideText text={page.due.reason} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </LoadedView>
    </Panel>
  )
}

function useReloadAt(turn: number, reload: () => void): void {
  useEffect(() => {
    if (turn > 0) reload()
  }, [turn])
}
