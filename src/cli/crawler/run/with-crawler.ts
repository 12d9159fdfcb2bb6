import type { FileStore } from '../../../model/index.js'
import { openNotifier } from '../../notify/open-notifier.js'
import type { Configured } from '../configured.js'
import { type Crawler, type LoopKind, openCrawler } from '../open-crawler.js'
import { setBackAtStart } from '../store/clock-repair.js'

/** What was found last is told before the command ends, if that takes no longer; else by the next. */
const lastWords = 10

/** Makes visits with a crawler, tells of what they find, and closes all, whatever happens. */
export async function withCrawler<T>(
  made: Configured,
  { store, ...kind }: LoopKind & { readonly store: FileStore },
  task: (crawler: Crawler) => Promise<T>,
): Promise<T> {
  await setBackAtStart(made, store)
  const crawler = await openCrawler(made, store, kind)
  const notifier = openNotifier(made, store)
  const end = new AbortController()
  const telling = notifier.run(end.signal)
  try {
    return await task(crawler)
  } finally {
    end.abort()
    await telling
    await notifier.flush({ within: lastWords })
    await notifier.close()
    await crawler.close()
  }
}
