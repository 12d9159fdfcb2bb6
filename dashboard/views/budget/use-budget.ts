import { useEffect, useRef, useState } from 'preact/hooks'
import type { BudgetAnswer } from '../../../src/server/collection/budget.js'
import { apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import { type Loaded, useLoad } from '../../app/use-load.js'

/** Milliseconds that a slider rests before its value counts, and between two requests for what follows. */
const rests = 400
const pollEvery = 700

export interface BudgetState {
  readonly loaded: Loaded<BudgetAnswer>
  /** Asks for another budget once nothing else is asked for; null for the configured one. */
  readonly ask: (requestsPerDay: number | null) => void
  /** What became of it, in words. */
  readonly message: string
}

/** The budget of the service, and the way to change it. */
export function useBudget(): BudgetState {
  const [message, setMessage] = useState('')
  const loaded = useLoad('budget', (signal) => request('GET budget', { signal }))
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const settling = loaded.data?.settling === true
  useEffect(() => {
    if (!settling)
      return setMessage((before) => (before === '' ? '' : 'Set. Due times have moved.'))
    setMessage('Set. Due times are being moved …')
    const again = setTimeout(loaded.reload, pollEvery)
    return () => clearTimeout(again)
  }, [loaded.data])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = async (requestsPerDay: number | null) => {
    setMessage('Setting …')
    try {
      await request('PUT budget', { body: { requestsPerDay } })
      loaded.reload()
    } catch (thrown) {
      setMessage(apiError(thrown).message)
    }
  }
  const ask = (requestsPerDay: number | null) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void send(requestsPerDay), rests)
  }
  return { loaded, ask, message }
}
