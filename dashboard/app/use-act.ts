import { useState } from 'preact/hooks'
import { apiError } from '../api/api-error.js'

/** Something that a person asked for: whether it is under way, and why it failed, in words. */
export function useAct(): {
  readonly act: (work: () => Promise<unknown>) => Promise<void>
  readonly busy: boolean
  readonly error: string | undefined
} {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      setError(apiError(thrown).message)
    }
    setBusy(false)
  }
  return { act, busy, error }
}
