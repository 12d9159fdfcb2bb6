import { humanPeriod } from '../../../model/index.js'
import { pageSummary } from '../../../report/page/page-summary.js'
import { AlignedTable } from '../../text/aligned-table.js'
import type { TextOutput } from '../../world.js'
import { lastChange } from '../last-change.js'
import { pageBlock } from '../page-block.js'
import { pageEstimate } from '../page-estimate.js'
import type { PageWriter } from '../page-writer.js'
import type { EstimateSettings } from '../settings.js'
import { cells } from './between-writer.js'
import { type MonthOverYears, type PageMonths, pageMonths } from './page-months.js'

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `--months`: each calendar month, and the same month over the years, page by page. */
export function monthsWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      const found = pageMonths(history, { level })
      if (found.months.length > 0) monthTable(out, found)
      if (found.overYears.length > 0) yearTable(out, found.overYears)
    },
    end() {},
  }
}

function monthTable(out: TextOutput, { months }: PageMonths): void {
  const titles = ['month', 'updates', 'watched', 'it changed', 'bounds', 'verdict']
  const table = tableOf(out, titles)
  for (const month of months)
    table.row([`${month.year}-${String(month.month).padStart(2, '0')}`, ...cells(month)])
  table.end()
}

function yearTable(out: TextOutput, overYears: readonly MonthOverYears[]): void {
  const all = overYears.flatMap(({ years }) => years.map(({ year }) => year))
  const years = [...new Set(all)].sort((a, b) => a - b)
  out.write('\n')
  const table = tableOf(out, ['over the years', ...years.map(String), 'it is'])
  for (const { month, years: found, trend } of overYears) {
    const inYear = (year: number) => {
      const changeRate = found.find((each) => each.year === year)?.changeRate
      return changeRate ? humanPeriod(1 / changeRate) : '-'
    }
    table.row([names[month - 1]!, ...years.map(inYear), trend.direction ?? 'too little to tell'])
  }
  table.end()
}

function tableOf(out: TextOutput, titles: readonly string[]): AlignedTable {
  return new AlignedTable(
    titles.map((title) => ({ title, align: title === 'updates' ? 'right' : 'left' })),
    { write: (text) => out.write(text), room: out.columns },
  )
}
