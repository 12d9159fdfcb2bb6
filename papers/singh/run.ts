import type { Finding, Paper, PaperResult, PaperRun } from 'revisit/report'
import { allUnderBothLaws } from '../both-laws.js'
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
import { theoryFindings } from './theory-findings.js'
import { thresholdsOf } from './thresholds.js'
import { realWinFindings, winFindings } from './win-findings.js'

/** Pages of the synthetic set, of the sweep over thresholds, of the other readings; windows for the constants. */
export interface SinghSizes {
  readonly pages: number
  readonly thresholds: number
  /** Pages of the second law. */
  readonly second: number
  readonly readings: number
  readonly windows: number
  /** Shares of the work done after each part, so that a progress bar moves evenly. */
  readonly done: readonly [
    synthetic: number,
    thresholds: number,
    readings: number,
    constants: number,
  ]
}

const full: SinghSizes = {
  pages: 300_000,
  thresholds: 10_000,
  second: 30_000,
  readings: 2_000,
  windows: 200_000,
  done: [0.9, 0.94, 0.97, 0.98],
}

const quick: SinghSizes = {
  pages: 4_000,
  thresholds: 800,
  second: 2_000,
  readings: 300,
  windows: 20_000,
  done: [0.35, 0.45, 0.55, 0.6],
}

export const singh: Paper = {
  name: 'singh',
  published,
  run: async (options) => runSingh(options, options.quick ? quick : full),
}

/** The run at any size. */
export function runSingh(
  { seed, histories, progress }: Omit<PaperRun, 'quick'>,
  { done, ...size }: SinghSizes,
): PaperResult {
  const within = (part: number, doing: string) => (share: number) => {
    const from = done[part - 1] ?? 0
    progress(from + share * (done[part]! - from), doing)
  }
  const synthetic = studyOf(syntheticSet({ pages: size.pages, seed }), within(0, 'synthetic pages'))
  const bursts = { seed: seed + 4, law: 'in bursts' } as const
  const second = studyOf(syntheticSet({ ...bursts, pages: size.second }), () => {})
  const fewer = syntheticSet({ pages: size.thresholds, seed: seed + 1 })
  const thresholds = thresholdsOf(fewer, within(1, 'thresholds'))
  const few = syntheticSet({ ...bursts, pages: Math.ceil(size.thresholds / 4) })
  const secondThresholds = thresholdsOf(few, () => {})
  const readings = (['per-unit', 'exact'] as const).flatMap((times, i) =>
    readingsOf(syntheticSet({ pages: size.readings, seed: seed + 2, times }), (share) =>
      within(2, 'other readings')((i + share) / 2),
    ),
  )
  const constants = biases({ windows: size.windows, seed: seed + 3 })
  progress(done[3], 'real histories')
  const real = histories === null ? null : realStudies(histories)
  progress(1, 'done')
  const shown: ShownStudy[] = [
    { study: synthetic, like: 'synthetic' },
    ...(real === null ? [] : [{ study: real[0], like: 'real' as const }]),
  ]
  const beside = real === null ? [] : [{ study: real[1], like: 'real' as const, beside: true }]
  return {
    findings: [
      ...allUnderBothLaws(
        [
          ...winFindings(synthetic, readings),
          ...errorFindings(synthetic),
          ...sizeFindings(synthetic),
          thresholdFinding(thresholds),
          ...replayFindings(synthetic, real?.[0] ?? null).filter(isSynthetic),
        ],
        {
          ...inBursts,
          second: [
            ...winFindings(second, readings),
            ...errorFindings(second),
            ...sizeFindings(second),
            thresholdFinding(secondThresholds),
            ...replayFindings(second, null),
          ],
        },
      ),
      ...replayFindings(synthetic, real?.[0] ?? null).filter((each) => !isSynthetic(each)),
      ...(real === null ? [] : realFindings(real)),
      ...constantFindings(constants),
      ...theoryFindings({ windows: size.windows, seed: seed + 5 }),
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

const inBursts = {
  name: 'pages that change in bursts (Weibull gaps of shape 0.66)',
  choice: "the paper's synthetic set is not at hand, and ours changes at random",
} as const

/** Findings on the synthetic set, which hang on its law. */
function isSynthetic({ claim }: Finding): boolean {
  return !claim.endsWith('-real')
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
