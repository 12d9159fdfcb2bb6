import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, apiError } from '../api/api-error.js'

/** Something that is being fetched; old data stay while new are on the way. */
export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly loading: boolean
  readonly reload: () => void
}

/** Fetches when `key` changes and when asked again. An answer to an older question is dropped. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError; loading: boolean }>(
    { key, loading: true },
  )
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const end = new AbortController()
    setState((before) =>
      before.key === key ? { ...before, loading: true } : { key, loading: true },
    )
    latest.current(end.signal).then(
      (data) => end.signal.aborted || setState({ key, data, loading: false }),
      (thrown) =>
        end.signal.aborted ||
        setState((before) => ({ ...before, error: apiError(thrown), loading: false })),
    )
    return () => end.abort()
  }, [key, turn])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  const current = state.key === key ? state : { loading: true }
  return {
    data: 'data' in current ? current.data : undefined,
    error: 'error' in current ? current.error : undefined,
    loading: current.loading,
    reload,
  }
}
