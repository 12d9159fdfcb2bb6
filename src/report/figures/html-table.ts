import { escaped } from '../frame/shown-text.js'

export type Cell = string | number | null

export interface HtmlTable {
  readonly caption?: string
  readonly columns: ReadonlyArray<{ readonly title: string; readonly align?: 'left' | 'right' }>
  readonly rows: ReadonlyArray<readonly Cell[]>
}

/** A table as HTML, its first column as the head of each row. Every text is escaped. */
export function htmlTable({ caption, columns, rows }: HtmlTable): string {
  const align = (i: number) => (columns[i]?.align === 'right' ? ' class="number"' : '')
  const head = columns.map(({ title }, i) => `<th scope="col"${align(i)}>${escaped(title)}</th>`)
  const body = rows.map((cells) => {
    const written = cells.map((cell, i) =>
      i === 0
        ? `<th scope="row"${align(i)}>${cellText(cell)}</th>`
        : `<td${align(i)}>${cellText(cell)}</td>`,
    )
    return `<tr>${written.join('')}</tr>`
  })
  const title = caption === undefined ? '' : `<caption>${escaped(caption)}</caption>`
  return `<div class="table"><table>${title}<thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function cellText(cell: Cell): string {
  return cell === null ? '–' : escaped(typeof cell === 'number' ? String(cell) : cell)
}
