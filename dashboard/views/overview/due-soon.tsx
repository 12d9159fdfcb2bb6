import { useEffect } from 'preact/hooks'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { PageName } from '../../parts/page-name.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import { bothMoments } from '../../parts/time.js'
import { changesEvery, changesEveryTitle, dueWords } from '../../parts/words.js'

/**
 * What is visited next, and why. Due times are put in words by the moment of
 * the overview, which counts what is due: the two say the same.
 */
export function DueSoon() {
  const { now, overview } = useService()
  const at = overview?.now ?? now()
  const loaded = useLoad('due-soon', (signal) =>
    request('GET pages', { query: { sort: 'due', limit: 8 }, signal }),
  )
  useEffect(loaded.reload, [overview?.now])
  return (
    <Panel title="Due next">
      <LoadedView loaded={loaded} what="what is due">
        {({ pages }) => (
          <Scrolled what="Pages that are due next">
            <table class="due-table rows-on-phone">
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
                        <PageName page={page} />
                      </a>
                    </th>
                    <td
                      class="nowrap"
                      title={page.due.at === 'never' ? undefined : bothMoments(page.due.at)}
                    >
                      {dueWords(page.due.at, at)}
                    </td>
                    <td title={changesEveryTitle(page)}>{changesEvery(page)}</td>
                    <td class="muted">
                      <OutsideText text={page.due.reason} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
        )}
      </LoadedView>
    </Panel>
  )
}
