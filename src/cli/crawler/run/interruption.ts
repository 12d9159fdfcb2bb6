import type { Store } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import type { Configured } from '../configured.js'
import type { Crawler } from '../open-crawler.js'

/** The first Ctrl-C finishes what is under way; the second gives it back and ends at once. */
export function interruption(
  { crawler: outside }: Configured,
  {
    store,
    crawler,
    note,
  }: {
    readonly store: Store
    readonly crawler: Crawler
    readonly note: (text: string) => void
  },
): { signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const off = outside.onInterrupt(() => {
    if (stop.signal.aborted) {
      void store.releaseWorker(outside.worker).finally(() => outside.leave(exitCode.interrupted))
      return
    }
    const { underWay } = crawler.cycle
    if (underWay > 0)
      note(`stopping once ${underWay} under way have ended; Ctrl-C again stops at once`)
    stop.abort()
  })
  return { signal: stop.signal, end: off }
}
