import { WEEK } from 'revisit/model'
import type { Paper, PaperResult, PaperRun } from 'revisit/report'
import { runExperiment } from './experiment.js'
import { figures } from './figures.js'
import { findingsExperiment } from './findings-experiment.js'
import { findingsHttp, httpTable } from './findings-http.js'
import { findingsSums } from './findings-sums.js'
import { runHttpExperiment } from './http-experiment.js'
import { printed, published } from './printed.js'
import { sitesLike, experiment as sixMonths } from './sites.js'
import { tables } from './tables.js'

/** Hattab's Change-Frequency tags: the sums, the printed tables, and the experiment on ten sites, simulated and over real HTTP. */
export const hattab: Paper = { name: 'hattab', published, run }

async function run({ quick, seed, histories, progress }: PaperRun): Promise<PaperResult> {
  const sites = sitesLike(printed.sites)
  const experiment = runExperiment(sites, {
    draws: quick ? 20 : 200,
    seed,
    progress: (share) => progress(0.5 * share, 'ten sites for six months'),
  })
  const overHttp = await runHttpExperiment(sites, {
    length: quick ? 8 * WEEK : sixMonths,
    seed,
    progress: (share) => progress(0.5 + 0.45 * share, 'ten small sites over real HTTP'),
  })
  return {
    findings: [...findingsSums(), ...findingsExperiment(experiment), ...findingsHttp(overHttp)],
    figures: figures(experiment, histories),
    tables: [...tables(experiment), httpTable(overHttp)],
  }
}
