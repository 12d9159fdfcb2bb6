import { shown } from '../../formats/index.js'
import { howOften } from '../../model/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import { periodWords } from '../text/period-words.js'
import { verdictWords } from '../text/verdict-words.js'
import type { TextOutput } from '../world.js'
import { pageEstimate } from './page-estimate.js'
import type { PageWriter } from './page-writer.js'
import type { EstimateSettings } from './settings.js'

/** One page a line: how often it was seen and changed, the estimate, its bounds and the verdict. */
export function tableWriter({ estimators, level }: EstimateSettings, out: TextOutput): PageWriter {
  const estimator = estimators[0]!
  const table = new AlignedTable(
    [
      { title: 'page', align: 'left' },
      { title: 'visits', align: 'right' },
      { title: 'changes', align: 'right' },
      { title: 'it changes', align: 'left' },
      { title: `bounds (${Number((100 * level).toPrecision(6))}%)`, align: 'left' },
      { title: 'verdict', align: 'left' },
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator, level })
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
