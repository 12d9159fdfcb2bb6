import type { Paper, PaperResult, PaperRun } from 'revisit/report'
import { readPublished } from '../read-published.js'
import { clockStudy } from './clock-pages.js'
import { figures } from './figures.js'
import { findingsDated } from './findings-dated.js'
import { findingClock, findingReal } from './findings-future.js'
import { findingsLoad } from './findings-load.js'
import { findingsUndated } from './findings-undated.js'
import { smootherThanTruth } from './many-pages.js'
import { realStudy } from './real-pages.js'
import { scenarioStudy } from './study.js'
import { clockTable, realTable, scenarioTables } from './tables.js'
import { variableGaps } from './variable-gaps.js'

const published = readPublished(import.meta.url)

/** Malcolm & Armitage's six scenarios, and the two things they left for later. */
export const malcolmArmitage: Paper = { name: 'malcolm-armitage', published, run }

async function run({ quick, seed, histories, progress }: PaperRun): Promise<PaperResult> {
  const pages = quick ? 6000 : 40_000
  const points = scenarioStudy({
    pages,
    seed,
    progress: (share) => progress(0.9 * share, 'the six scenarios'),
  })
  progress(0.9, 'pages that keep to the clock')
  const clock = clockStudy({ pages: quick ? 300 : 2000, seed })
  progress(0.95, 'real pages')
  const real = histories === null ? null : realStudy(histories, { seed })
  return {
    findings: [
      ...findingsDated(points, { pages, seed }),
      ...findingsUndated(points),
      variableGaps({ pages: quick ? 2000 : 20_000, seed }),
      ...findingsLoad(points, { seed }),
      smootherThanTruth({ pages: quick ? 2000 : 20_000, seed }),
      findingClock(clock),
      ...(real === null ? [] : [findingReal(real)]),
    ],
    figures: figures(points, published),
    tables: [
      ...scenarioTables(points),
      clockTable(clock),
      ...(real === null ? [] : [realTable(real)]),
    ],
  }
}
