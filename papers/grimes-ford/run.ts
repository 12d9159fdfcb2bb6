import { HOUR } from 'revisit/model'
import type { Paper, PaperResult, PaperRun } from 'revisit/report'
import { allUnderBothLaws } from '../both-laws.js'
import { type Collection, statedCollection } from './collection.js'
import { edgeStudy, figurePaths } from './edge-paths.js'
import { edgeFindings, estimatorFindings, unchangedFinding } from './findings.js'
import { figure4, figure6, figure6Log, figure7, freshnessFigure } from './new-page-figures.js'
import {
  firstGapFinding,
  fitFinding,
  freshnessFinding,
  hundredHoursFinding,
  noEdgeFinding,
  priorFinding,
} from './new-page-findings.js'
import { type NewPageSizes, type NewPageStudy, newPageStudy } from './new-page-study.js'
import { posteriorCost } from './posterior-cost.js'
import { published } from './printed.js'
import { realCollection } from './real-collection.js'
import { sampledLaw, sampledRealLaw } from './sampled-law.js'
import { biasFigure, figure1, figure2, figure3, figure5 } from './section-figures.js'
import { biasTable, deviationTable, edgeTable, fitTable, freshnessTable } from './tables.js'
import { unchangedLaws } from './unchanged-law.js'

export interface GrimesFordSizes extends Omit<NewPageSizes, 'seed'> {
  readonly pages: number
  /** Paths behind the share of edge cases, for each first gap. */
  readonly paths: number
  /** Of the real pages every so manieth is tried. */
  readonly realEvery: number
}

/** The paper has 1,000 pages; more, so that a median is known to a few hours. */
const full: GrimesFordSizes = {
  pages: 10_000,
  paths: 2_000,
  realEvery: 1,
  monthPages: 3_000,
  budgets: [1.5, 3, 6, 12],
  firstGapStep: 6 * HOUR,
  annealingSteps: 3_000,
}

const quick: GrimesFordSizes = {
  pages: 2_000,
  paths: 200,
  realEvery: 2,
  monthPages: 700,
  budgets: [1.5, 3],
  firstGapStep: 12 * HOUR,
  annealingSteps: 1_000,
}

export const grimesFord: Paper = {
  name: 'grimes-ford',
  published,
  run: async (options) => runGrimesFord(options, options.quick ? quick : full),
}

/** The run at any size. */
export function runGrimesFord(
  { seed, histories, progress }: Omit<PaperRun, 'quick'>,
  sizes: GrimesFordSizes,
): PaperResult {
  const size = { ...sizes, seed }
  progress(0, 'first visits')
  const edges = edgeStudy({ paths: size.paths, seed })
  const collection = statedCollection({ pages: size.pages, seed })
  const sampled = sampledLaws(collection, { seed, histories })
  const unchanged = unchangedLaws(collection.laws[0]!)
  progress(0.1, 'new pages')
  const stated = newPageStudy(collection, size)
  progress(0.35, 'new pages, second law')
  const other = statedCollection({
    pages: Math.ceil(size.pages / 2),
    seed: seed + 20,
    second: true,
  })
  const second = newPageStudy(other, { ...size, monthPages: Math.ceil(size.monthPages / 2) })
  progress(0.5, 'new pages, real change periods')
  const real =
    histories === null
      ? null
      : newPageStudy(realCollection(histories, { every: size.realEvery }), size)
  progress(1, 'done')
  const studies = real === null ? [stated] : [stated, real]
  return {
    findings: [
      ...estimatorFindings(),
      ...edgeFindings(edges),
      ...allUnderBothLaws([unchangedFinding(unchanged), ...statedFindings(stated)], {
        name: other.about,
        choice:
          "the paper's sample is not at hand, so the change periods follow a stated distribution",
        second: [unchangedFinding(unchangedLaws(other.laws[0]!)), ...statedFindings(second)],
      }),
      posteriorCost({ seed }),
      ...(real === null ? [] : realFindings(real)),
    ],
    tables: [
      biasTable(),
      edgeTable(edges),
      fitTable(studies),
      ...studies.map(deviationTable),
      ...studies.map(freshnessTable),
    ],
    figures: [
      figure1(),
      biasFigure(),
      figure2(figurePaths(seed)),
      figure3(sampled),
      ...studies.map(figure4),
      ...figure5(unchanged),
      figure6(stated),
      figure6Log(stated),
      ...studies.map(figure7),
      ...studies.map(freshnessFigure),
    ],
  }
}

function sampledLaws(
  { changePeriods }: Collection,
  { seed, histories }: Pick<PaperRun, 'seed' | 'histories'>,
) {
  const stated = { name: 'stated distribution', law: sampledLaw(changePeriods, seed + 10) }
  if (histories === null) return [stated]
  return [stated, { name: 'real pages', law: sampledRealLaw(histories) }]
}

function statedFindings(study: NewPageStudy) {
  return [
    firstGapFinding('best-first-gap', study),
    fitFinding(study),
    noEdgeFinding(study),
    priorFinding('prior-better', study),
    hundredHoursFinding(study),
    freshnessFinding('not-freshest', study),
  ]
}

function realFindings(study: NewPageStudy) {
  return [
    firstGapFinding('best-first-gap-real', study),
    priorFinding('prior-better-real', study),
    freshnessFinding('not-freshest-real', study),
  ]
}
