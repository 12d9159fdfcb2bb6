import type { Finding, Paper, PaperResult, PaperRun } from '../paper.js'
import { constantFindings } from './constant-findings.js'
import { biases } from './constants.js'
import {
  errorFindings,
  fallFinding,
  realErrorFinding,
  sizeFindings,
  thresholdFinding,
} from './error-findings.js'
import { bestShares, figure1, figure2, observedShares } from './figures.js'
import { published } from './printed.js'
import { readingsOf } from './readings.js'
import { twoMonthCrawls, wholeHistories } from './recorded-set.js'
import { replayFindings } from './replay-findings.js'
import { type Study, studyOf } from './study.js'
import { syntheticSet } from './synthetic-set.js'
import { constantsTable, readingsTable, type ShownStudy, table1, table2, table3 } from './tables.js'
import { thresholdsOf } from './thresholds.js'
import { realWinFindings, winFindings } from './win-findings.js'

/** Pages of the synthetic set, of the sweep over thresholds, of the other readings, and windows for the constants. */
const sizes = {
  full: { pages: 300_000, thresholds: 10_000, readings: 2_000, windows: 200_000 },
  quick: { pages: 4_000, thresholds: 800, readings: 300, windows: 20_000 },
} as const

/** Shares of the work, so that the progress bar moves evenly. */
const parts = { synthetic: 0.9, thresholds: 0.95, readings: 0.97, constants: 0.98 } as const

export const singh: Paper = { name: 'singh', published, run }

async function run({ quick, seed, histories, progress }: PaperRun): Promise<PaperResult> {
  const size = quick ? sizes.quick : sizes.full
  const within = (from: number, to: number, doing: string) => (share: number) =>
    progress(from + share * (to - from), doing)
  const synthetic = studyOf(
    syntheticSet({ pages: size.pages, seed }),
    within(0, parts.synthetic, 'synthetic pages'),
  )
  const fewer = syntheticSet({ pages: size.thresholds, seed: seed + 1 })
  const thresholds = thresholdsOf(fewer, within(parts.synthetic, parts.thresholds, 'thresholds'))
  const readings = (['per-unit', 'exact'] as const).flatMap((times) =>
    readingsOf(
      syntheticSet({ pages: size.readings, seed: seed + 2, times }),
      within(parts.thresholds, parts.readings, 'other readings'),
    ),
  )
  const constants = biases({ windows: size.windows, seed: seed + 3 })
  progress(parts.constants, 'real histories')
  const real = histories === null ? null : realStudies(histories)
  progress(1, 'done')
  const shown: ShownStudy[] = [
    { study: synthetic, like: 'synthetic' },
    ...(real === null ? [] : [{ study: real[0], like: 'real' as const }]),
  ]
  const beside = real === null ? [] : [{ study: real[1], like: 'real' as const, beside: true }]
  return {
    findings: [
      ...winFindings(synthetic, readings),
      ...errorFindings(synthetic),
      ...sizeFindings(synthetic),
      thresholdFinding(thresholds),
      ...replayFindings(synthetic, real?.[0] ?? null),
      ...(real === null ? [] : realFindings(real)),
      ...constantFindings(constants),
    ],
    tables: [
      table1([...shown, ...beside]),
      table2([...shown, ...beside]),
      table3([...shown, ...beside]),
      readingsTable(readings),
      constantsTable(constants),
    ],
    figures: [
      ...shown.map(figure1),
      figure2(thresholds, fewer),
      bestShares(shown),
      observedShares(shown),
    ],
  }
}

function realStudies(histories: NonNullable<PaperRun['histories']>): readonly [Study, Study] {
  const quiet = () => {}
  return [studyOf(twoMonthCrawls(histories), quiet), studyOf(wholeHistories(histories), quiet)]
}

function realFindings(studies: readonly [Study, Study]): Finding[] {
  return [
    ...realWinFindings(studies),
    realErrorFinding(studies),
    fallFinding('error-falls-with-size-real', studies[0]),
  ]
}
