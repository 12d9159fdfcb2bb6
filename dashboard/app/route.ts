import { useEffect, useState } from 'preact/hooks'

/** Where the person is: `#/pages?q=news` is `{path: ['pages'], query: {q: 'news'}}`. */
export interface Route {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** The address of a view; what is undefined or empty is left out of the query. */
export function linkTo(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]))
  const search = new URLSearchParams(given).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const follow = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

/** Changes the query of the present view without a step in the history, such as while typing. */
export function replaceQuery(route: Route, query: Readonly<Record<string, string | undefined>>) {
  history.replaceState(null, '', linkTo(route.path, { ...route.query, ...query }))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
