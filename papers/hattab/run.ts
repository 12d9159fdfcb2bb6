import { WEEK } from 'revisit/model'
import type { Paper, PaperResult, PaperRun } from 'revisit/report'
import { runExperiment } from './experiment.js'
import { figures } from './figures.js'
import { findingsExperiment } from './findings-experiment.js'
import { findingsHttp, httpTable } from './findings-http.js'
import { findingsSums } from './findings-sums.js'
import { runHttpExperiment } from './http-experiment.js'
import { printed, published } from './printed.js'
import { type Site, sitesLike, experiment as sixMonths } from './sites.js'
import { tables } from './tables.js'

const allAtRandom = {
  name: 'all ten sites at random',
  choice: 'the paper gives only how often each site changes, not how',
} as const

/** Hattab's Change-Frequency tags: the sums, the printed tables, and the experiment on ten sites, simulated and over real HTTP. */
export const hattab: Paper = { name: 'hattab', published, run }

async function run({ quick, seed, histories, progress }: PaperRun): Promise<PaperResult> {
  const [chosen, atRandom] = [
    sitesLike(printed.sites),
    sitesLike(printed.sites, { all: 'at random' }),
  ]
  const simulated = (sites: readonly Site[], from: number) =>
    runExperiment(sites, {
      draws: quick ? 20 : 200,
      seed,
      progress: (share) => progress(from + 0.25 * share, 'ten sites for six months'),
    })
  const crawled = (sites: readonly Site[], from: number) =>
    runHttpExperiment(sites, {
      length: quick ? 8 * WEEK : sixMonths,
      seed,
      progress: (share) => progress(from + 0.24 * share, 'ten small sites over real HTTP'),
    })
  const experiment = simulated(chosen, 0)
  const second = simulated(atRandom, 0.25)
  const overHttp = await crawled(chosen, 0.5)
  const secondOverHttp = await crawled(atRandom, 0.74)
  return {
    findings: [
      ...findingsSums(),
      ...findingsExperiment(experiment, { ...allAtRandom, second }),
      ...findingsHttp(overHttp, { ...allAtRandom, second: secondOverHttp }),
    ],
    figures: figures(experiment, histories),
    tables: [...tables(experiment), httpTable(overHttp)],
  }
}
