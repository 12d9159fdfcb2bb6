import type { ErrorMeasure } from 'revisit/estimators'
import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'
import { graded, percent } from '../words.js'
import { printed } from './printed.js'
import type { ReadingResult } from './readings.js'
import { beats, literalReason, type Scores, scoresOf } from './scores.js'
import type { Study } from './study.js'

/** "Most windows": well above a half, wherever the paper's share comes from its own set. */
const most = 0.8

/** Table 2 on the synthetic set. */
export function winFindings(study: Study, readings: readonly ReadingResult[]): Finding[] {
  const ahead = scoresOf(study, 'one-step-ahead')
  const literal = scoresOf(study, 'literal')
  return [
    { ...bestFinding('weibull-best-synthetic', [study]), why: openReadings(readings) },
    {
      claim: 'intuitive-seldom-best',
      ours: `${percent(ahead.intuitive.bestShare)} one step ahead; ${percent(literal.intuitive.bestShare)} literally`,
      verdict: verdictOf(ahead.intuitive.bestShare < 0.02, literal.intuitive.bestShare < 0.02),
      why: literalReason,
    },
    beatsFinding(ahead, literal),
    evenFinding(ahead, literal),
  ]
}

/** Table 2 on real pages: two-month crawls, and whole histories beside them. */
export function realWinFindings(studies: readonly Study[]): Finding[] {
  const { duane, intuitive } = scoresOf(studies[0]!, 'one-step-ahead')
  return [
    bestFinding('weibull-best-real', studies),
    {
      claim: 'duane-against-intuitive-real',
      ours: `${percent(beats(duane, intuitive))} against ${percent(beats(intuitive, duane))}`,
      verdict: verdictOf(beats(duane, intuitive) > 0.7 && beats(intuitive, duane) < 0.3),
      why: `${studies[0]!.set.about}; one step ahead.`,
    },
  ]
}

/** By the form that the paper uses, with the uncorrected one beside it. */
function bestFinding(claim: string, studies: readonly Study[]): Finding {
  const shares = (measure: ErrorMeasure) =>
    studies.map(({ asPrinted }) => asPrinted[measure].scores[1]!.bestShare)
  const [ahead, literal] = [shares('one-step-ahead'), shares('literal')]
  const shown = studies.map((study, i) => {
    const plain = (measure: ErrorMeasure) => percent(scoresOf(study, measure).weibull.bestShare)
    return `${study.set.name}: ${percent(ahead[i]!)} one step ahead, ${percent(literal[i]!)} literally (${study.compared.literal.windows.toLocaleString('en')} windows); with the uncorrected lambda ${plain('one-step-ahead')} and ${plain('literal')}`
  })
  return {
    claim,
    ours: shown.join('; '),
    verdict: graded({
      holds: [...ahead, ...literal].every((share) => share > most),
      inPart: ahead.every((share) => share > 0.5),
    }),
    why: `${printedForm} One step ahead, t_(i-1) + MTBU(t_(i-1)) against t_i, Weibull wins more windows than the others together, if fewer than printed. ${literalReason}`,
  }
}

const printedForm =
  "The verdict is by the paper's own form, the corrected lambda of section 3.2; corrected it is too low, so its waits are longer and it wins fewer windows."

/** What becomes of the headline when the paper is read otherwise. */
function openReadings(readings: readonly ReadingResult[]): string {
  const cuts = readings.filter(({ asPrinted }) => asPrinted).map(({ ahead }) => ahead[1]!)
  const moment = readings.find(({ duaneAtMoment }) => duaneAtMoment)!
  return `${printedForm} By the reading of the threshold Weibull, uncorrected, wins ${percent(Math.min(...cuts))} to ${percent(Math.max(...cuts))} of the windows one step ahead. It wins against Duane because the paper's formula for Duane is the mean change rate since the origin: with the rate at the moment Duane wins ${percent(moment.ahead[2]!)} and Weibull ${percent(moment.ahead[1]!)}. ${literalReason}`
}

function beatsFinding(ahead: Scores, literal: Scores): Finding {
  const both = ({ weibull, intuitive, duane }: Scores) => [
    beats(weibull, intuitive),
    beats(weibull, duane),
  ]
  return {
    claim: 'weibull-beats-each',
    ours: `one step ahead ${both(ahead)
      .map((share) => percent(share))
      .join(' and ')}; literally ${both(literal)
      .map((share) => percent(share))
      .join(' and ')}`,
    verdict: verdictOf(
      both(ahead).every((share) => share > most),
      both(literal).every((share) => share > most),
    ),
    why: `The shares against the intuitive estimator and Duane. ${literalReason}`,
  }
}

function evenFinding(ahead: Scores, literal: Scores): Finding {
  const reported = printed.table2.synthetic.Duane.intuitive!
  const pair = ({ duane, intuitive }: Scores) => [beats(duane, intuitive), beats(intuitive, duane)]
  return {
    claim: 'duane-against-intuitive',
    ours: `${pair(ahead)
      .map((share) => percent(share))
      .join(' against ')} one step ahead; ${pair(literal)
      .map((share) => percent(share))
      .join(' against ')} literally`,
    verdict: verdictOf([ahead, literal].some((each) => Math.abs(pair(each)[0]! - reported) < 0.1)),
    why: 'A line through the points nearly always foresees them better than the running mean does, and nearly never literally: neither reading gives an even match.',
  }
}
