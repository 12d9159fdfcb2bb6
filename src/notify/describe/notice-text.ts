import { cut, shown } from '../../formats/index.js'
import { humanDuration, humanTime } from '../../model/index.js'
import type { Notice } from '../notice.js'

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
    `seen ${humanTime(visit.at)}${told(notice)}`,
    ...wordLines(notice),
    // Deliveries made by an earlier release have none.
    ...(note === null || note === undefined ? [] : [shown(note)]),
  ]
  const body = diff === null || diff === '' ? '' : `\n${diff}`
  return `${lines.join('\n')}\n${body}`
}

function told({ changedShare, unchangedFor, visit }: Notice): string {
  if (changedShare !== null) return `, ${percent(changedShare)} of what is compared`
  if (unchangedFor !== null) return `, no change for ${humanDuration(unchangedFor)}`
  return visit.status === null ? '' : `, status ${visit.status}`
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`
}

function wordLines({ appeared, disappeared }: Notice): string[] {
  const line = (what: string, words: readonly string[]) =>
    words.length === 0 ? [] : [`${what}: ${words.map(shown).join(', ')}`]
  return [...line('appeared', appeared), ...line('disappeared', disappeared)]
}
