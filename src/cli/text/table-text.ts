import { AlignedTable, type TableColumn } from './aligned-table.js'

/** A short table as one text. */
export function tableText(
  columns: readonly TableColumn[],
  rows: ReadonlyArray<readonly string[]>,
): string {
  const parts: string[] = []
  const table = new AlignedTable(columns, { write: (part) => parts.push(part), room: undefined })
  for (const row of rows) table.row([...row])
  table.end()
  return parts.join('')
}
