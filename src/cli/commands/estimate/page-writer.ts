import { updatePoints } from '../../../estimators/trend/update-points.js'
import type { PageHistory } from '../../../formats/histories/page-by-page.js'
import { shown } from '../../../formats/printable-text.js'
import type { History } from '../../../model/history.js'
import type { UnixSeconds } from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { JsonArray } from '../../text/json.js'
import { wrappedText } from '../../text/wrapped-text.js'

/** Writes the estimates of pages, one after the other. */
export interface PageWriter {
  page(page: PageHistory): void
  /** All pages are written. */
  end(): void
}

/** The head of a page's own block of text. */
export function pageBlock(
  out: TextOutput,
  { url, summary }: { readonly url: string; readonly summary: string },
): void {
  out.write(`\n${shown(url)}\n${wrappedLines(summary, out)}`)
}

/** A sentence in lines as wide as the terminal, or 100 signs. */
export function wrappedLines(text: string, { columns = 100 }: TextOutput): string {
  return `${wrappedText(text, columns)}\n`
}

/** A JSON array written as the pages come, so that nothing piles up. */
export function recordWriter(
  records: (page: PageHistory) => readonly object[],
  out: TextOutput,
): PageWriter {
  const array = new JsonArray(out)
  return {
    page(page) {
      for (const record of records(page)) array.record(record)
    },
    end: () => array.end(),
  }
}

/** When the page last changed, as its server dated it, or as it was seen; null where it never was. */
export function lastChange(history: History | null): UnixSeconds | null {
  const last = history === null ? undefined : updatePoints(history).points.at(-1)
  if (last === undefined) return null
  return last.kind === 'last-modified' ? last.at : last.seenAt
}
