import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.js'
import { Failed, Loading } from '../parts/states.js'
import type { Route } from './route.js'

export type View = ComponentType<{ route: Route }>

/** Its file is gone where the service was updated since the page was opened. */
const notThere = new ApiError({
  status: 0,
  code: 'no-view',
  message: 'This view could not be fetched: Revisit was updated meanwhile, or is away.',
})

/** A view whose code is fetched when it is first shown, so that the first one comes quickly. */
export function lazyView(load: () => Promise<{ default: View }>): View {
  let found: View | undefined
  return function LazyView({ route }) {
    const [View, setView] = useState(() => found)
    const [error, setError] = useState<ApiError>()
    useEffect(() => {
      if (View !== undefined) return
      load().then(
        (module) => {
          found = module.default
          setView(() => module.default)
        },
        () => setError(notThere),
      )
    }, [])
    if (View !== undefined) return <View route={route} />
    return error === undefined ? (
      <Loading what="the view" />
    ) : (
      <Failed error={error} retry={() => location.reload()} />
    )
  }
}
