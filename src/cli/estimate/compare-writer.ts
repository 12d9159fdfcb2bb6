import { shown } from '../../formats/index.js'
import { type Estimate, humanDuration } from '../../model/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import { pageEstimate } from './page-estimate.js'
import type { PageWriter } from './page-writer.js'
import type { EstimateSettings } from './settings.js'

/** All methods side by side: one row a page, a column a method, change periods in the cells. */
export function compareWriter(
  { estimators, level }: EstimateSettings,
  out: TextOutput,
): PageWriter {
  const table = new AlignedTable(
    [
      { title: 'page', align: 'left' },
      // A name on several lines keeps ten columns within a wide terminal.
      ...estimators.map(({ name }) => ({
        title: name.replaceAll('-', '-\n'),
        align: 'right' as const,
      })),
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  return {
    page({ url, history }) {
      const cells = estimators.map((estimator) => cell(pageEstimate(history, { estimator, level })))
      table.row([shown(url), ...cells])
    },
    end() {
      table.end()
      out.write('* with caution: --method NAME says why\n')
    },
  }
}

function cell({ changePeriod, verdict }: Estimate): string {
  if (verdict === 'always-changed') return 'each visit*'
  if (changePeriod === null) return '-'
  const text = changePeriod === 0 ? 'too fast' : humanDuration(changePeriod)
  return verdict === 'ok' ? text : `${text}*`
}
