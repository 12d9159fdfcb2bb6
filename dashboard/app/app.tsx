import { useEffect, useRef } from 'preact/hooks'
import { Empty } from '../parts/states.js'
import { useRoute } from './route.js'
import { ServiceContext, useServiceState } from './service.js'
import { Side } from './side.js'
import { SignIn } from './sign-in.js'
import { viewAt } from './views.js'

/** The whole page: navigation, and the view that the address names. */
export function App() {
  const route = useRoute()
  const service = useServiceState()
  const main = useRef<HTMLElement>(null)
  const named = viewAt(route.path)
  const place = route.path.join('/')
  const first = useRef(true)
  useEffect(() => {
    document.title = `${named?.title ?? 'Not found'} · Revisit`
    if (!first.current) main.current?.focus({ preventScroll: true })
    if (!first.current) scrollTo(0, 0)
    first.current = false
  }, [place])
  const View = named?.view
  return (
    <ServiceContext.Provider value={service}>
      {/* biome-ignore lint/a11y/useValidAnchor: a link by what it does; the address belongs to the views */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <div class="shell">
        <Side current={route.path[0] ?? (service.overview?.demo ? 'overview' : 'inbox')} />
        <main id="main" ref={main} tabIndex={-1}>
          {service.error?.status === 401 ? (
            <SignIn onSigned={service.reload} />
          ) : View === undefined ? (
            <Empty title="There is no such view.">
              <p>
                <a href="#/">Go to the first view</a>
              </p>
            </Empty>
          ) : (
            <View route={route} key={place} />
          )}
        </main>
      </div>
    </ServiceContext.Provider>
  )
}
