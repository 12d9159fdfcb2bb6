import type { ComponentChildren } from 'preact'
import type { Loaded } from '../app/use-load.js'
import { Failed, Loading } from './states.js'

/** The three faces of something fetched. Old data stay in sight when a later fetch fails. */
export function LoadedView<T>({
  loaded,
  what,
  absent,
  children,
}: {
  loaded: Loaded<T>
  what: string
  /** In place of an error where the service has no such thing. */
  absent?: ComponentChildren
  children: (data: T) => ComponentChildren
}) {
  const { data, error, reload } = loaded
  if (data === undefined && error === undefined) return <Loading what={what} />
  if (data === undefined)
    return error!.absent && absent !== undefined ? absent : <Failed error={error!} retry={reload} />
  return (
    <>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {children(data)}
    </>
  )
}
