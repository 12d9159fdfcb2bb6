import type { Offer } from '../content/offer.js'
import { cut, shown } from '../formats/printable-text.js'
import { humanDuration, humanTime } from '../model/duration.js'
import type { Outcome } from '../model/history.js'
import type { ChannelRecord } from '../model/outbox.js'
import { percent, type Seconds, type UnixSeconds } from '../model/units.js'

/** What a channel can be notified of; `test` only when a person asks for it. */
export const noticeTypes = ['changed', 'gone', 'silent'] as const
export type NoticeType = (typeof noticeTypes)[number]

/** What is sent: one visit of one page, and what it found. */
export interface Notice {
  readonly type: NoticeType | 'test'
  readonly collection: string
  readonly page: {
    readonly id: string
    readonly url: string
    readonly group: string | null
    /** Left out where there are none. */
    readonly tags?: readonly string[]
    readonly title: string | null
  }
  readonly visit: {
    readonly number: number
    readonly at: UnixSeconds
    readonly outcome: Outcome
    readonly status: number | null
  }
  /** When the content before was first seen, where it is still kept. */
  readonly previous: UnixSeconds | null
  /** Share of the compared text that is new or gone, 0 to 1; null where there is none to compare. */
  readonly changedShare: number | null
  /** Compared lines that went (`- `) and came (`+ `), cut short; null where there are none to compare. */
  readonly diff: string | null
  /** The words that went and those that came, a line each; not in notices of an earlier release. */
  readonly removed?: string
  readonly added?: string
  /** What the page asks for a thing now and asked before; left out where it asks for none. */
  readonly offers?: { readonly before: Offer | null; readonly after: Offer | null }
  /** In words, why there is no diff, or why it is empty. */
  readonly note: string | null
  /** Words asked for that are new in the compared text, or no longer there. */
  readonly appeared: readonly string[]
  readonly disappeared: readonly string[]
  /** How long the page has not changed, for `silent`. */
  readonly unchangedFor: Seconds | null
}

/** One line, for the subject of a mail. Nothing in it breaks the line. */
export function noticeLine(notice: {
  readonly type: Notice['type']
  readonly page: Pick<Notice['page'], 'title' | 'url'>
}): string {
  const { title, url } = notice.page
  return cut(`${verbs[notice.type]}: ${shown(title ?? url)}`, 150)
}

const verbs = { changed: 'Changed', gone: 'Gone', silent: 'No change', test: 'Test' } as const

/** Some lines for a person. */
export function noticeText(notice: Notice): string {
  const { page, visit, diff, note } = notice
  const lines = [
    noticeLine(notice),
    shown(page.url),
    `seen ${humanTime(visit.at)}${reported(notice)}`,
    ...wordLines(notice),
    // Deliveries made by an earlier release have none.
    ...(note === null || note === undefined ? [] : [shown(note)]),
  ]
  const body = diff === null || diff === '' ? '' : `\n${diff}`
  return `${lines.join('\n')}\n${body}`
}

function reported({ changedShare, unchangedFor, visit }: Notice): string {
  if (changedShare !== null) return `, ${shareWords(changedShare)} of what is compared`
  if (unchangedFor !== null) return `, no change for ${humanDuration(unchangedFor)}`
  return visit.status === null ? '' : `, status ${visit.status}`
}

function shareWords(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1%' : percent(share)
}

function wordLines({ appeared, disappeared }: Notice): string[] {
  const line = (what: string, words: readonly string[]) =>
    words.length === 0 ? [] : [`${what}: ${words.map(shown).join(', ')}`]
  return [...line('appeared', appeared), ...line('disappeared', disappeared)]
}

/** What a test of a channel says. */
export function testNotice(
  { collection, name }: Pick<ChannelRecord, 'collection' | 'name'>,
  now: UnixSeconds,
): Notice {
  return {
    type: 'test',
    collection,
    page: { id: '0', url: 'https://example.org/', group: null, title: `a test of ${name}` },
    visit: { number: 0, at: now, outcome: 'changed', status: 200 },
    previous: null,
    changedShare: 0.5,
    diff: '- as it was\n+ as it is\n',
    removed: 'as it was',
    added: 'as it is',
    note: null,
    appeared: [],
    disappeared: [],
    unchangedFor: null,
  }
}
