import type { Seconds, UnixSeconds } from '../../model/index.js'
import { type AccessKind, accessKinds } from '../plan/behaviour.js'
import type { LawKind } from '../plan/law.js'
import type { LivePage } from '../site/live-page.js'
import type { LiveSite } from '../site/live-site.js'

/** What is true of one page, whether anybody looks or not. */
export interface PageTruth {
  readonly url: string
  readonly site: string
  readonly title: string
  readonly law: LawKind
  /** The law in words: `changes at random, every 3.2 days on average`. */
  readonly lawWords: string
  /** Mean time between changes as things stand now. */
  readonly changePeriod: Seconds
  /** Changes since the demo began. */
  readonly changes: number
  readonly lastChange: UnixSeconds
  readonly access: AccessKind
  readonly accessWords: string
  /** What its server tells beside the content, in words. */
  readonly tells: string
  /** Whether the Last-Modified it tells is a lie. */
  readonly lies: boolean
  /** When it goes, or went, away; null if it stays. */
  readonly goneAt: UnixSeconds | null
  /** Requests that reached the server for this address. */
  readonly requests: number
}

/** A page that moved has the changes of the page it sends to: that is what its visitors see. */
export function pageTruth({
  site,
  page,
  at,
}: {
  readonly site: LiveSite
  readonly page: LivePage
  readonly at: UnixSeconds
}): PageTruth {
  const seen = site.destinationOf(page)
  const { law, telling } = seen.plan
  return {
    url: site.urlOf(page),
    site: site.plan.name,
    title: page.plan.title,
    law: law.kind,
    lawWords: law.words,
    changePeriod: law.changePeriodAt(at),
    changes: seen.versionAt(at),
    lastChange: seen.lastChangeAt(at),
    access: page.plan.access.kind,
    accessWords: accessKinds[page.plan.access.kind],
    tells: telling.words,
    lies: !['honest', 'missing'].includes(telling.lastModified),
    goneAt: page.goneAt === Infinity ? null : page.goneAt,
    requests: page.requests,
  }
}
