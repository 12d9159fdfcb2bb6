import { shown } from '../../../formats/printable-text.js'
import { howOften, type ShownEstimate } from '../../../model/estimate.js'
import type { TextOutput } from '../../environment.js'
import { periodWords, verdictWords } from '../../text/estimate.js'
import { levelPercent } from '../../text/numbers.js'
import { AlignedTable, columns } from '../../text/table.js'

/** One page a line: how often it was seen and changed, the estimate, its bounds and the verdict. */
export function estimateTable({ level }: { readonly level: number }, out: TextOutput) {
  const bounds = `bounds (${levelPercent(level)})`
  const titles = ['page', '>visits', '>changes', 'it changes', bounds, 'verdict']
  const table = new AlignedTable(columns(...titles), out)
  return {
    page(url: string, estimate: ShownEstimate): void {
      table.row([
        shown(url),
        String(estimate.evidence.visits),
        String(estimate.evidence.changes),
        howOften(estimate),
        periodWords(estimate.bounds),
        verdictWords[estimate.verdict],
      ])
    },
    end: () => table.end(),
  }
}
