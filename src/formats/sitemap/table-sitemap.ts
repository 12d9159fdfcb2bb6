import { type CsvRow, csvRows } from '../change-times/csv-table.js'
import type { Sitemap } from './sitemap.js'
import { listed } from './text-sitemap.js'

const columnName = /^(?:url|address|loc|link|page)$/i
const webAddress = /^\s*https?:\/\//i

/**
 * Whether a text is a table with a column of addresses: it is called CSV, or its
 * first line names such a column beside others. A comma alone makes no table,
 * since addresses may have one.
 */
export function isTable(text: string, contentType = ''): boolean {
  if (/^\s*text\/csv\b/i.test(contentType)) return true
  const end = text.search(/[\r\n]/)
  const names = text.slice(0, end === -1 ? undefined : end).split(',')
  if (names.length === 1 || names.some((each) => webAddress.test(each))) return false
  return names.some((each) => columnName.test(each.replaceAll('"', '').trim()))
}

/**
 * The addresses of a table in CSV: the column that is named url, address, loc,
 * link or page; without a header the one that has an address in the first line.
 * Null where there is no such column. Throws where a quote is not closed.
 */
export function tableSitemap(text: string): Sitemap | null {
  const rows = [...csvRows(text)].filter(({ fields }) => !fields[0]!.startsWith('#'))
  const first = rows[0]?.fields ?? []
  const named = first.findIndex((each) => columnName.test(each.trim()))
  const column = named === -1 ? first.findIndex((each) => webAddress.test(each)) : named
  return column === -1 ? null : listed(cells(named === -1 ? rows : rows.slice(1), column))
}

function* cells(rows: readonly CsvRow[], column: number) {
  for (const { line, fields } of rows) yield { line, text: fields[column] ?? '' }
}
