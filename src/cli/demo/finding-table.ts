import { howOften, humanPeriod, shownEstimate } from '../../model/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import { periodWords } from '../text/period-words.js'
import type { PageFinding } from './page-finding.js'

/** Pages with what is thought of them beside what is true, as lines of text. */
export function findingTable(
  findings: readonly PageFinding[],
  { room }: { readonly room: number | undefined },
): string[] {
  let text = ''
  const write = (part: string) => {
    text += part
  }
  const table = new AlignedTable(
    [
      { title: 'page', align: 'left' },
      { title: 'changes', align: 'left' },
      { title: 'truly', align: 'left' },
      { title: 'estimated', align: 'left' },
      { title: '95% bounds', align: 'left' },
      { title: 'visits', align: 'right' },
      { title: 'changes\nseen', align: 'right' },
      { title: '\nreal', align: 'right' },
    ],
    { write, room },
  )
  for (const each of findings) table.row(cells(each))
  table.end()
  return text.trimEnd().split('\n')
}

function cells({ truth, estimate, page }: PageFinding): string[] {
  return [
    `${truth.site} ${truth.title}`,
    truth.law,
    humanPeriod(truth.changePeriod),
    estimated(estimate),
    periodWords(estimate?.bounds ?? null),
    String(page.visits),
    String(page.changes),
    String(truth.changes),
  ]
}

/** In brackets what only stands in for a number. */
function estimated(estimate: PageFinding['estimate']): string {
  const text = estimate === null ? 'unknown' : howOften(shownEstimate(estimate))
  return text === 'unknown' ? '-' : text
}
