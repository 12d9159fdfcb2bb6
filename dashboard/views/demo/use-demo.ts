import { useEffect } from 'preact/hooks'
import { request } from '../../api/request.js'
import { type Loaded, useLoad } from '../../app/use-load.js'
import { useTick } from '../../app/use-tick.js'
import type { DemoAnswer } from './demo-answer.js'

/** The truth, looked up again every few seconds. */
export function useDemo(): Loaded<DemoAnswer> {
  const turn = useTick(4000)
  const loaded = useLoad('demo', (signal) => request<DemoAnswer>('demo', { signal }))
  useEffect(() => {
    if (turn > 0) loaded.reload()
  }, [turn])
  return loaded
}
