import { useEffect } from 'preact/hooks'
import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import { request } from '../../api/request.js'
import { type Loaded, useLoad } from '../../app/use-load.js'
import { useTick } from '../../app/use-tick.js'

/** The truth, looked up again every few seconds. */
export function useDemo(): Loaded<DemoAnswer> {
  const turn = useTick(4000)
  const loaded = useLoad('demo', (signal) => request('GET demo', { signal }))
  useEffect(() => {
    if (turn > 0) loaded.reload()
  }, [turn])
  return loaded
}
