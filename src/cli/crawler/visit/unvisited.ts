import { shown } from '../../../formats/index.js'
import {
  humanTime,
  type Json,
  type PageRecord,
  type Store,
  type UnixSeconds,
} from '../../../model/index.js'
import { timeAndMoment } from '../../text/human-moment.js'

/** A page that could not be visited now. */
export interface Unvisited {
  /** As it is now. */
  readonly page: PageRecord
  readonly why: string
}

/** What is said of a page that another holds. */
export const takenElsewhere = 'another process is visiting it'

/** Why a page was left out that nobody held when it was asked for. */
export async function unvisited(store: Store, told: LeftOut): Promise<Unvisited> {
  const { before } = told
  const page = await store.getPage(before)
  if (page === null) return { page: before, why: 'it is no longer watched' }
  const host = await store.getHost(page.host)
  return { page, why: why({ ...told, page, rests: host?.blockedUntil ?? null }) }
}

/** A page that was asked for, and how the asking went on. */
export interface LeftOut {
  readonly before: PageRecord
  readonly now: UnixSeconds
  /** Whether a person stopped it. */
  readonly stopped: boolean
  /** What is said of the day's budget, where it is used up. */
  readonly budget: string | null
  /** Whether the page waits for itself. */
  readonly putOff: boolean
}

function why(
  told: LeftOut & {
    readonly page: PageRecord
    /** Until when the host rests. */
    readonly rests: UnixSeconds | null
  },
): string {
  const { before, page, now, stopped, budget, putOff, rests } = told
  if (page.lastVisit?.at !== before.lastVisit?.at) return 'another process has visited it meanwhile'
  const { at, reason } = page.due
  if (putOff) return `it waits until ${moment(at, now)}: ${shown(reason)}`
  if (stopped) return 'stopped before its turn'
  if (budget !== null) return budget
  if (rests !== null && rests > now)
    return `its host rests until ${moment(rests, now)}: for its delay, a budget, or because it asked for that`
  return 'another process is visiting its host'
}

function moment(at: UnixSeconds | 'never', now: UnixSeconds): string {
  return at === 'never' ? at : timeAndMoment(at, now)
}

/** One line, in the columns of a visit. */
export function unvisitedLine({ page, why }: Unvisited, now: UnixSeconds): string {
  return `${humanTime(now)}  waiting    -     ${shown(page.url)}  ${why}`
}

/** The same for a program: an outcome that no visit has. */
export function unvisitedRecord({ page, why }: Unvisited): Readonly<Record<string, Json>> {
  return { url: page.url, outcome: 'waiting', why, due: { ...page.due } }
}
