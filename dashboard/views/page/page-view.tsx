import { useEffect, useState } from 'preact/hooks'
import { linkTo, type Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideLink, OutsideText } from '../../parts/outside-text.js'
import { Empty } from '../../parts/states.js'
import { BrowserAdvice } from './browser-advice.js'
import { ChooseView } from './choose/choose-view.js'
import { HowView } from './how/how-view.js'
import { LastChange } from './last-change.js'
import { PageActions } from './page-actions.js'
import { type PageData, readPage, readPast } from './page-data.js'
import { PageSummary } from './page-summary.js'
import { PriceHistory } from './price-history.js'
import { SettingsForm } from './settings/settings-form.js'
import { SettingsSummary } from './settings/settings-summary.js'

const reloadEvery = 2500

const parts = [
  { path: '', title: 'Last change' },
  { path: 'settings', title: 'Settings' },
  { path: 'how', title: 'How it changes' },
] as const

/** One page: its last change and its settings; how it changes behind a link. */
export default function PageView({ route }: { route: Route }) {
  const [, id = '', part = ''] = route.path
  const { onVisit } = useService()
  const read = part === 'how' ? readPast : readPage
  const loaded = useLoad(`page ${id} ${part}`, (signal) => read(id, signal))
  const [visited, setVisited] = useState(0)
  useEffect(() => onVisit(({ page }) => page.id === id && setVisited((n) => n + 1)), [id])
  useEffect(() => {
    if (visited === 0) return
    const timer = setTimeout(loaded.reload, reloadEvery / 4)
    return () => clearTimeout(timer)
  }, [Math.ceil(visited / 2)])
  return (
    <LoadedView
      loaded={loaded}
      what="the page"
      absent={
        <Empty title="There is no such page.">
          <p>
            It may have been removed. <a href="#/pages">All pages</a>
          </p>
        </Empty>
      }
    >
      {(data) => <PageParts data={data} route={route} reload={loaded.reload} />}
    </LoadedView>
  )
}

function PageParts({ data, route, reload }: { data: PageData; route: Route; reload: () => void }) {
  const { page } = data
  const part = route.path[2] ?? ''
  return (
    <>
      <div class="head page-head">
        <div class="page-title">
          {page.title?.trim() ? (
            <>
              <h1>
                <OutsideText text={page.title} />
              </h1>
              <p class="small page-address">
                <OutsideLink url={page.url} />
              </p>
            </>
          ) : (
            <h1 class="address-title">
              <OutsideLink url={page.url} />
            </h1>
          )}
        </div>
        <PageActions page={page} reload={reload} />
      </div>
      <nav class="tabs" aria-label="Parts of the page">
        {parts.map(({ path, title }) => (
          <a
            key={path}
            href={linkTo(path === '' ? ['pages', page.id] : ['pages', page.id, path])}
            {...(path === part || (path === 'settings' && part === 'choose')
              ? { 'aria-current': 'page' as const }
              : {})}
          >
            {title}
          </a>
        ))}
      </nav>
      {part === 'how' ? (
        <HowView data={data} />
      ) : part === 'settings' ? (
        <SettingsForm page={page} reload={reload} />
      ) : part === 'choose' ? (
        <ChooseView page={page} reload={reload} />
      ) : (
        <div class="grid">
          <BrowserAdvice page={page} reload={reload} />
          <LastChange page={page} at={Number(route.query.change) || null} reload={reload} />
          <div class="third stacked">
            <PageSummary page={page} why={data.why} />
            <PriceHistory page={page} />
            <SettingsSummary page={page} />
          </div>
        </div>
      )}
    </>
  )
}
