import type { TextOutput } from '../environment.js'

/** Signs of a text; wide ones count as one. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : [...text].length
}

/** A text that fits a width: the middle gives way, since a URL is known by both of its ends. */
export function shortened(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  const signs = [...text]
  const kept = Math.max(0, width - 1)
  const head = Math.ceil(kept / 2)
  return `${signs.slice(0, head).join('')}…${signs.slice(signs.length - (kept - head)).join('')}`
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return false
  return true
}

export interface TableColumn {
  /** May have several lines. */
  readonly title: string
  readonly align: 'left' | 'right'
}

/** Where a table goes: without a width, as to a file, nothing is shortened. */
type TableOutput = Pick<TextOutput, 'write' | 'columns'>

/** Rows that are read to find the widths; the rest follow them. */
const sampleRows = 200
const narrowest = 16

/**
 * Lines up the columns of a table that may be too long to hold: the widths come
 * from the first rows, and a longer cell further down pushes its own line only.
 * The first column gives way to the width of the terminal.
 */
export class AlignedTable {
  readonly #columns: readonly TableColumn[]
  readonly #out: TableOutput
  #waiting: (readonly string[])[] | undefined = []
  #widths: number[] = []

  constructor(columns: readonly TableColumn[], out: TableOutput) {
    this.#columns = columns
    this.#out = out
  }

  row(cells: readonly string[]): void {
    if (this.#waiting === undefined) this.#print(cells)
    else if (this.#waiting.push(cells) >= sampleRows) this.end()
  }

  /** Writes what still waits. */
  end(): void {
    if (this.#waiting === undefined) return
    const rows = this.#waiting
    this.#waiting = undefined
    const titles = this.#titleRows()
    this.#widths = this.#columns.map((_, i) =>
      Math.max(...[...titles, ...rows].map((cells) => textWidth(cells[i] ?? ''))),
    )
    this.#fit()
    for (const cells of [...titles, ...rows]) this.#print(cells)
  }

  #titleRows(): string[][] {
    const titles = this.#columns.map((column) => column.title.split('\n'))
    const height = Math.max(...titles.map((lines) => lines.length))
    return Array.from({ length: height }, (_, row) =>
      titles.map((lines) => lines[row - height + lines.length] ?? ''),
    )
  }

  #fit(): void {
    const { columns: room } = this.#out
    if (room === undefined) return
    const gaps = 2 * (this.#widths.length - 1)
    const others = this.#widths.slice(1).reduce((sum, width) => sum + width, gaps)
    this.#widths[0] = Math.min(this.#widths[0]!, Math.max(narrowest, room - others))
  }

  #print(cells: readonly string[]): void {
    const padded = cells.map((cell, i) => this.#pad(i === 0 ? this.#first(cell) : cell, i))
    this.#out.write(`${padded.join('  ').trimEnd()}\n`)
  }

  /** Shortened only where a person looks at it: a file keeps the whole. */
  #first(cell: string): string {
    return this.#out.columns === undefined ? cell : shortened(cell, this.#widths[0]!)
  }

  #pad(cell: string, column: number): string {
    const fill = ' '.repeat(Math.max(0, this.#widths[column]! - textWidth(cell)))
    return this.#columns[column]!.align === 'left' ? cell + fill : fill + cell
  }
}

/** A table for a terminal or a report. */
export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: ReadonlyArray<readonly string[]>
}

/** Columns by their titles: `>visits` is one of numbers, aligned to the right. */
export function columns(...titles: readonly string[]): TableColumn[] {
  return titles.map((title) =>
    title.startsWith('>') ? { title: title.slice(1), align: 'right' } : { title, align: 'left' },
  )
}

/** A table as one text; the first column gives way where there is less room. */
export function tableText({ columns, rows }: Table, room?: number): string {
  const parts: string[] = []
  const table = new AlignedTable(columns, { write: (part) => void parts.push(part), columns: room })
  for (const row of rows) table.row(row)
  table.end()
  return parts.join('')
}
