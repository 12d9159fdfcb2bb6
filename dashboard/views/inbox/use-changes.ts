import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import { type ApiError, apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'

export type ChangeAnswer = Answers['GET changes']['changes'][number]

/** Which changes are asked for. */
export interface ChangeSearch {
  readonly group: string
  readonly search: string
  readonly unseen: boolean
}

export interface Changes {
  readonly list: readonly ChangeAnswer[] | undefined
  readonly error: ApiError | undefined
  readonly more: boolean
  readonly loadMore: () => void
  readonly retry: () => void
  /** Marks some as seen or unseen, here and in the service. */
  readonly mark: (numbers: readonly number[], seen: boolean) => void
  /** Marks all that the search finds, up to the newest that is shown. */
  readonly markAll: () => Promise<void>
}

const stretch = 50

/** The changes of a search, the newest first, with what comes in meanwhile. */
export function useChanges(search: ChangeSearch): Changes {
  const { inboxTurn, reloadUnseen } = useService()
  const [list, setList] = useState<readonly ChangeAnswer[]>()
  const [next, setNext] = useState<number | null>(null)
  const [error, setError] = useState<ApiError>()
  const [turn, setTurn] = useState(0)
  const ending = useRef(new AbortController())
  const { group, search: words, unseen } = search
  const query = { group, search: words, unseen: unseen || undefined }
  const key = JSON.stringify(query)

  useEffect(() => {
    const end = new AbortController()
    ending.current = end
    setList(undefined)
    request('GET changes', { query: { ...query, limit: stretch }, signal: end.signal }).then(
      (found) => {
        setList(found.changes)
        setNext(found.next)
        setError(undefined)
        reloadUnseen()
      },
      (thrown) => end.signal.aborted || setError(apiError(thrown)),
    )
    return () => end.abort()
  }, [key, turn])

  useEffect(() => {
    if (inboxTurn === 0) return
    const { signal } = ending.current
    request('GET changes', { query: { ...query, limit: stretch }, signal }).then(
      ({ changes }) => setList((before = []) => joined(before, changes)),
      () => {},
    )
  }, [inboxTurn])

  const loadMore = () => {
    if (next === null) return
    const { signal } = ending.current
    request('GET changes', { query: { ...query, limit: stretch, before: next }, signal }).then(
      (found) => {
        setList((before = []) => [...before, ...found.changes])
        setNext(found.next)
      },
      (thrown) => signal.aborted || setError(apiError(thrown)),
    )
  }
  const mark = (numbers: readonly number[], seen: boolean) => {
    const marked = new Set(numbers)
    setList((before) => before?.map((each) => (marked.has(each.number) ? { ...each, seen } : each)))
    request('POST changes/seen', { body: { numbers, seen } }).then(reloadUnseen, (thrown) =>
      setError(apiError(thrown)),
    )
  }
  const markAll = async () => {
    const upTo = list?.[0]?.number
    if (upTo === undefined) return
    const given = { ...(group === '' ? {} : { group }), ...(words === '' ? {} : { search: words }) }
    await request('POST changes/seen', { body: { ...given, upTo } })
    setList((before) => before?.map((each) => ({ ...each, seen: true })))
    reloadUnseen()
  }
  return {
    list,
    error,
    more: next !== null,
    loadMore,
    retry: () => setTurn((before) => before + 1),
    mark,
    markAll,
  }
}

/** What is new before what is there; those that are there stay as this person has them. */
function joined(
  before: readonly ChangeAnswer[],
  found: readonly ChangeAnswer[],
): readonly ChangeAnswer[] {
  const newest = before[0]?.number ?? 0
  return [...found.filter(({ number }) => number > newest), ...before]
}
