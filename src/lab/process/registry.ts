import { OptionError } from '../../model/errors.js'
import { parameterOf, readNamedSpec } from '../../model/named-spec.js'
import { changePoint } from './change-point.js'
import type { ChangeProcess } from './change-process.js'
import {
  constantGaps,
  gammaGaps,
  hyperexponentialGaps,
  latticeGaps,
  type Phase,
  paretoGaps,
  uniformGaps,
  weibullGaps,
} from './gap-laws.js'
import { hourOfWeek, powerLawTrend, workingWeek } from './inhomogeneous-poisson.js'
import type { ParameterValues, ProcessKind } from './parameters.js'
import { poisson } from './poisson.js'

const duration = parameterOf('duration')
const durations = parameterOf('durations')
const number = parameterOf('number')
const numbers = parameterOf('numbers')
const inner = parameterOf('process')
const period = duration('period', '1d', 'mean time between changes')

/** Every process that can be asked for by name, in the order in which people meet them. */
export const processes: readonly ProcessKind[] = [
  {
    name: 'poisson',
    summary: 'changes without memory: exponential gaps',
    parameters: [period],
    create: (values) => poisson({ period: values.number('period') }),
  },
  {
    name: 'constant',
    summary: 'changes like a clock',
    parameters: [period],
    create: (values) => constantGaps({ period: values.number('period') }),
  },
  {
    name: 'uniform',
    summary: 'gaps alike between two lengths',
    parameters: [
      duration('shortest', '0s', 'shortest gap'),
      duration('longest', '2d', 'longest gap'),
    ],
    create: (values) =>
      uniformGaps({ shortest: values.number('shortest'), longest: values.number('longest') }),
  },
  {
    name: 'pareto',
    summary: 'heavy-tailed gaps (Lomax): bursts and long unchanged times',
    parameters: [period, number('shape', '3', 'tail; above 1, infinite variance up to 2')],
    create: (values) => paretoGaps(shaped(values)),
  },
  {
    name: 'weibull',
    summary: 'Weibull gaps: bursts below shape 1, Poisson at 1, a clock far above',
    parameters: [period, number('shape', '0.66', 'at least 0.05; 0.66 is the median real page')],
    create: (values) => weibullGaps(shaped(values)),
  },
  {
    name: 'gamma',
    summary: 'gamma gaps: bursts below shape 1, Poisson at 1, a clock far above',
    parameters: [period, number('shape', '2', 'at least 0.01')],
    create: (values) => gammaGaps(shaped(values)),
  },
  {
    name: 'hyperexponential',
    summary: 'exponential gaps of several kinds: bursts of edits between long unchanged times',
    parameters: [
      durations('periods', '1h/5d', 'mean gap of each kind'),
      numbers('shares', '0.8/0.2', 'how much of the gaps is of each kind'),
    ],
    create: (values) => hyperexponentialGaps({ phases: phasesOf(values) }),
  },
  {
    name: 'lattice',
    summary: 'gaps of whole steps, as from a nightly job',
    parameters: [
      duration('step', '1d', 'the step'),
      numbers('masses', '0.5/0.3/0.2', 'weights of gaps of 1, 2, 3, ... steps'),
    ],
    create: (values) =>
      latticeGaps({ step: values.number('step'), masses: values.numbers('masses') }),
  },
  {
    name: 'power-law-trend',
    summary: 'Poisson changes ever slower or ever faster since the birth of the page',
    parameters: [
      duration('scale', '1d', 'one change is expected this long after birth'),
      number('shape', '0.7', 'below 1 slower, above 1 faster'),
    ],
    create: (values) =>
      powerLawTrend({ scale: values.number('scale'), shape: values.number('shape') }),
  },
  {
    name: 'hour-of-week',
    summary: 'Poisson changes that follow a working week (UTC)',
    parameters: [
      period,
      number('opens', '8', 'first working hour'),
      number('closes', '18', 'the hour after the last'),
      number('rest', '0.1', 'weight of the other hours; a working hour has 1'),
      number('weekend', '0.1', 'weight of Saturday and Sunday'),
    ],
    create: (values) =>
      hourOfWeek({
        period: values.number('period'),
        weights: workingWeek({
          opens: values.number('opens'),
          closes: values.number('closes'),
          rest: values.number('rest'),
          weekend: values.number('weekend'),
        }),
      }),
  },
  {
    name: 'change-point',
    summary: 'one process until a time, another after',
    parameters: [
      inner('before', '(poisson:period=1d)', 'the first, in parentheses'),
      inner('after', '(poisson:period=1w)', 'the second, in parentheses'),
      duration('at', '60d', 'time from the start to the turn'),
    ],
    create: (values) =>
      changePoint({
        before: values.process('before'),
        after: values.process('after'),
        at: values.number('at'),
      }),
  },
]

function shaped(values: ParameterValues): { period: number; shape: number } {
  return { period: values.number('period'), shape: values.number('shape') }
}

function phasesOf(values: ParameterValues): Phase[] {
  const periods = values.numbers('periods')
  const shares = values.numbers('shares')
  if (periods.length !== shares.length)
    throw new OptionError(
      'bad-parameter',
      `hyperexponential: there are ${periods.length} periods and ${shares.length} shares, but each period needs its share`,
    )
  return periods.map((each, i) => ({ period: each, share: shares[i]! }))
}

/**
 * The process that a text asks for: a name, then parameters in any order, such
 * as `weibull:period=3d,shape=0.5`; what is left out has its default.
 * Durations are 5min, 2h, 3d, 2w; lists are split by `/`; a process within a
 * process stands in parentheses: `change-point:before=(constant:period=1d),at=30d`.
 */
export function changeProcess(spec: string): ChangeProcess {
  const { kind, number, numbers, read } = readNamedSpec(spec, { what: 'process', kinds: processes })
  const process = (name: string) => read(name, (text) => changeProcess(withoutParentheses(text)))
  return kind.create({ number, numbers, process })
}

function withoutParentheses(text: string): string {
  return text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text
}
