import { useEffect, useState } from 'preact/hooks'
import { request } from '../api/request.js'
import { Refused } from '../parts/states.js'
import { linkTo } from './route.js'
import { useService } from './service.js'
import { chooseTheme, chosenTheme, type Theme, themes } from './theme.js'
import { useAct } from './use-act.js'
import { views } from './views.js'

/** Where one can go, whether the service is there, and the theme. On a phone the views are in a menu. */
export function Side({ current }: { current: string }) {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [current])
  useEffect(() => {
    if (!open) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [open])
  const here = views.find(({ path }) => path === current)
  return (
    <header class="side">
      <a class="brand" href="#/" aria-label="Revisit, to the first view">
        <img src="./icon.svg" alt="" />
        <span>Revisit</span>
      </a>
      <button
        type="button"
        class="menu-button"
        aria-expanded={open}
        aria-controls="views"
        onClick={() => setOpen(!open)}
      >
        <svg width="14" height="12" aria-hidden="true">
          <path d="M0 1.5H14M0 6H14M0 10.5H14" class="stroke-ink" stroke-width="1.8" />
        </svg>{' '}
        {here?.title ?? 'Menu'}
        <span class="unseen">, other views</span>
      </button>
      <nav aria-label="Views" id="views" class={open ? 'open' : ''}>
        <ul>
          {views.map(({ path, title }) => (
            <li key={path}>
              <a
                href={linkTo([path])}
                {...(path === current ? { 'aria-current': 'page' as const } : {})}
                onClick={() => setOpen(false)}
              >
                {title}
                {path === 'inbox' ? <Unread /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <ToOwnPages />
        <LiveState />
        <ThemeSwitch />
        <LogOut />
      </div>
    </header>
  )
}

function Unread() {
  const { unseen } = useService()
  if (unseen === undefined || unseen.unseen === 0) return null
  return (
    <span class="unread-count">
      {unseen.unseen > 999 ? '999+' : unseen.unseen}
      <span class="unseen"> unread</span>
    </span>
  )
}

/** From the demo to the service with one's own pages. */
function ToOwnPages() {
  const { overview } = useService()
  const { act, busy, error } = useAct()
  if (overview?.beside !== 'own') return null
  const open = async () => {
    location.assign((await request('POST beside', { body: {} })).address)
  }
  return (
    <>
      <button type="button" class="first" disabled={busy} onClick={() => act(open)}>
        {busy ? 'One moment …' : 'Your own pages'}
      </button>
      <Refused error={error} inline />
    </>
  )
}

function LiveState() {
  const { connected, overview, error } = useService()
  const words = connected ? 'live' : error?.status === 401 ? 'not signed in' : 'not connected'
  return (
    <div role="status" title={words}>
      <span class={connected ? 'live-dot on' : 'live-dot'} />
      <span class="words">
        {words}
        {overview === undefined ? null : (
          <span class="muted">
            {' '}
            {overview.demo ? 'demo' : overview.collection} · {overview.version}
          </span>
        )}
      </span>
    </div>
  )
}

/** For a browser that gave a key: it ends the session, and the key is asked for again. */
function LogOut() {
  const { overview, error, reload } = useService()
  const { act, error: failed } = useAct()
  if (overview?.session !== true || error?.status === 401) return null
  return (
    <>
      <button
        type="button"
        class="nowrap"
        onClick={() => act(() => request('DELETE session').then(reload))}
      >
        Log out
      </button>
      <Refused error={failed} inline />
    </>
  )
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <label>
      <span class="unseen">Theme</span>
      <select
        class="theme"
        value={theme}
        onChange={(event) => {
          const chosen = event.currentTarget.value as Theme
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each === 'system' ? 'auto' : each}
          </option>
        ))}
      </select>
    </label>
  )
}
