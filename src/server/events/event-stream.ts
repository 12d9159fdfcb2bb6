import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { LoggedVisit, Seconds } from '../../model/index.js'
import { beatText, eventText } from './event-text.js'
import type { VisitFeed } from './visit-feed.js'

export interface EventStreamOptions {
  readonly feed: VisitFeed
  readonly start: number
  readonly wanted: (visit: LoggedVisit) => boolean
  /** Longest silence; 15 s unless said. */
  readonly beat?: Seconds
  /** A client that takes nothing for so long is dropped; 30 s unless said. */
  readonly patience?: Seconds
}

/**
 * Sends the log of visits to one client from where it left off, for as long as
 * it stays. It asks the feed for the next visits only once those before have
 * been taken, so that a slow client costs one stretch and no more.
 */
export async function streamEvents(
  response: ServerResponse,
  { feed, start, wanted, beat = 15, patience = 30 }: EventStreamOptions,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const send = (text: string) => sent(response, { text, patience, signal: gone.signal })
  let number = start
  let open = await send(`retry: 2000\n${beatText(number)}`)
  while (open && !gone.signal.aborted && !feed.closed) {
    const { visits, upTo } = await feed.after(number)
    const text = visits.filter(wanted).map(eventText).join('')
    number = upTo
    if (text !== '') open = await send(text)
    if (visits.length > 0) continue
    await grownOrSilent(feed, { number, beat, signal: gone.signal })
    if (feed.last <= number) open = await send(beatText(number))
  }
  response.end()
}

/** Waits for visits, but no longer than a client should be left without a word. */
async function grownOrSilent(
  feed: VisitFeed,
  { number, beat, signal }: { number: number; beat: Seconds; signal: AbortSignal },
): Promise<void> {
  const silent = AbortSignal.timeout(beat * 1000)
  await feed.grown(number, AbortSignal.any([signal, silent]))
}

/** Whether the client took it in time; one that did not is dropped. */
async function sent(
  response: ServerResponse,
  { text, patience, signal }: { text: string; patience: Seconds; signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) return false
  if (response.write(text)) return true
  const late = AbortSignal.any([signal, AbortSignal.timeout(patience * 1000)])
  try {
    await once(response, 'drain', { signal: late })
    return true
  } catch {
    response.destroy()
    return false
  }
}
