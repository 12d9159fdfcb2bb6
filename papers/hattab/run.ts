import type { Paper, PaperResult, PaperRun } from '../paper.js'
import { runExperiment } from './experiment.js'
import { figures } from './figures.js'
import { findingsExperiment } from './findings-experiment.js'
import { findingsSums } from './findings-sums.js'
import { printed, published } from './printed.js'
import { sitesLike } from './sites.js'
import { tables } from './tables.js'

/** Hattab's Change-Frequency tags: the sums, the printed tables, and the experiment on ten sites. */
export const hattab: Paper = { name: 'hattab', published, run }

async function run({ quick, seed, histories, progress }: PaperRun): Promise<PaperResult> {
  const experiment = runExperiment(sitesLike(printed.sites), {
    draws: quick ? 20 : 200,
    seed,
    progress: (share) => progress(0.95 * share, 'ten sites for six months'),
  })
  return {
    findings: [...findingsSums(), ...findingsExperiment(experiment)],
    figures: figures(experiment, histories),
    tables: tables(experiment),
  }
}
