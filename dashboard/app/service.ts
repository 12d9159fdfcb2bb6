import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { UnixSeconds } from '../../src/model/units.js'
import type { Answers } from '../../src/server/answers.js'
import type { OverviewAnswer } from '../../src/server/collection/overview.js'
import type { LoggedVisitAnswer } from '../../src/server/pages/visits.js'
import { type ApiError, apiError } from '../api/api-error.js'
import { followEvents } from '../api/event-stream.js'
import { request } from '../api/request.js'

/** The service as the whole dashboard sees it: its state, its clock, its visits. */
export interface Service {
  readonly overview: OverviewAnswer | undefined
  readonly error: ApiError | undefined
  /** Counts up whenever changes have come into the inbox. */
  readonly inboxTurn: number
  /** Changes that nobody has seen, in all and by group or tag. */
  readonly unseen: UnseenCounts | undefined
  readonly connected: boolean
  /** The service's time, which runs fast in the demo. */
  readonly now: () => UnixSeconds
  readonly reload: () => void
  readonly reloadUnseen: () => void
  /** Calls back at each visit until the returned function is called. */
  readonly onVisit: (listener: (visit: LoggedVisitAnswer) => void) => () => void
}

type UnseenCounts = Answers['GET changes/unseen']

const pollEvery = 3000
/** A change comes into the inbox a moment after its visit: it is looked for so often, so many times. */
const inboxEvery = 1000
const inboxTries = 10

export const ServiceContext = createContext<Service>({
  overview: undefined,
  error: undefined,
  inboxTurn: 0,
  unseen: undefined,
  connected: false,
  now: () => Date.now() / 1000,
  reload: () => {},
  reloadUnseen: () => {},
  onVisit: () => () => {},
})

export function useService(): Service {
  return useContext(ServiceContext)
}

/** One stream of events and one request for the overview for all views. */
export function useServiceState(): Service {
  const [overview, setOverview] = useState<OverviewAnswer>()
  const [error, setError] = useState<ApiError>()
  const [inboxTurn, setInboxTurn] = useState(0)
  const [unseen, setUnseen] = useState<UnseenCounts>()
  const [connected, setConnected] = useState(false)
  const [turn, setTurn] = useState(0)
  const listeners = useRef(new Set<(visit: LoggedVisitAnswer) => void>())
  const reported = useRef({ at: Date.now() / 1000, now: Date.now() / 1000, speed: 1 })
  useEffect(() => {
    const end = new AbortController()
    const poll = async () => {
      try {
        const found = await request('GET overview', { signal: end.signal })
        reported.current = { at: Date.now() / 1000, now: found.now, speed: found.speed }
        setOverview(found)
        setError(undefined)
      } catch (thrown) {
        if (!end.signal.aborted) setError(apiError(thrown))
      }
    }
    poll()
    const timer = setInterval(() => document.hidden || poll(), pollEvery)
    return () => {
      end.abort()
      clearInterval(timer)
    }
  }, [turn])
  useEffect(() => {
    const end = new AbortController()
    followEvents({
      path: 'events',
      signal: end.signal,
      onState: setConnected,
      onEvent: ({ data }) => {
        const visit = visitIn(data)
        if (visit !== null) for (const listener of listeners.current) listener(visit)
      },
    })
    return () => end.abort()
  }, [turn])
  const countUnseen = useCallback(() => {
    request('GET changes/unseen').then(setUnseen, () => {})
  }, [])
  useEffect(() => {
    countUnseen()
    let waitedFor = 0
    let newest = 0
    let tries = 0
    const wait = ({ outcome, number }: LoggedVisitAnswer) => {
      if (outcome !== 'changed') return
      waitedFor = number
      tries = inboxTries
    }
    const timer = setInterval(async () => {
      if (tries <= 0 || document.hidden) return
      tries--
      const found = await request('GET changes', { query: { limit: 1 } }).catch(() => null)
      const number = found?.changes[0]?.number ?? 0
      if (number >= waitedFor) tries = 0
      // Where visits are many the inbox may always be some behind: what has come counts.
      if (number <= newest) return
      newest = number
      countUnseen()
      setInboxTurn((before) => before + 1)
    }, inboxEvery)
    listeners.current.add(wait)
    return () => {
      clearInterval(timer)
      listeners.current.delete(wait)
    }
  }, [turn])
  const [service] = useState(() => ({
    now: () =>
      reported.current.now + (Date.now() / 1000 - reported.current.at) * reported.current.speed,
    reload: () => setTurn((before) => before + 1),
    reloadUnseen: countUnseen,
    onVisit: (listener: (visit: LoggedVisitAnswer) => void) => {
      listeners.current.add(listener)
      return () => {
        listeners.current.delete(listener)
      }
    },
  }))
  return { ...service, overview, error, inboxTurn, unseen, connected }
}

function visitIn(data: string): LoggedVisitAnswer | null {
  try {
    const found = JSON.parse(data) as Partial<LoggedVisitAnswer>
    return found.page !== undefined && found.outcome !== undefined
      ? (found as LoggedVisitAnswer)
      : null
  } catch {
    return null
  }
}
