import { OptionError } from '../../model/errors.js'
import {
  type OptionParameters,
  optionsIn,
  type Parameter,
  parameterOf,
  readNamedSpec,
} from '../../model/named-spec.js'
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

const week: OptionParameters<Parameters<typeof workingWeek>[0]> = {
  opens: number('opens', '8', 'first working hour'),
  closes: number('closes', '18', 'the hour after the last'),
  rest: number('rest', '0.1', 'weight of the other hours; a working hour has 1'),
  weekend: number('weekend', '0.1', 'weight of Saturday and Sunday'),
}

/** Every process that can be asked for by name, in the order in which people meet them. */
export const processes: readonly ProcessKind[] = [
  made(poisson, {
    name: 'poisson',
    summary: 'changes without memory: exponential gaps',
    parameters: { period },
  }),
  made(constantGaps, {
    name: 'constant',
    summary: 'changes like a clock',
    parameters: { period },
  }),
  made(uniformGaps, {
    name: 'uniform',
    summary: 'gaps alike between two lengths',
    parameters: {
      shortest: duration('shortest', '0s', 'shortest gap'),
      longest: duration('longest', '2d', 'longest gap'),
    },
  }),
  made(paretoGaps, {
    name: 'pareto',
    summary: 'heavy-tailed gaps (Lomax): bursts and long unchanged times',
    parameters: { period, shape: number('shape', '3', 'tail; above 1, infinite variance up to 2') },
  }),
  made(weibullGaps, {
    name: 'weibull',
    summary: 'Weibull gaps: bursts below shape 1, Poisson at 1, a clock far above',
    parameters: {
      period,
      shape: number('shape', '0.66', 'at least 0.05; 0.66 is the median real page'),
    },
  }),
  made(gammaGaps, {
    name: 'gamma',
    summary: 'gamma gaps: bursts below shape 1, Poisson at 1, a clock far above',
    parameters: { period, shape: number('shape', '2', 'at least 0.01') },
  }),
  {
    name: 'hyperexponential',
    summary: 'exponential gaps of several kinds: bursts of edits between long unchanged times',
    parameters: [
      durations('periods', '1h/5d', 'mean gap of each kind'),
      numbers('shares', '0.8/0.2', 'how much of the gaps is of each kind'),
    ],
    create: (values) => hyperexponentialGaps({ phases: phasesOf(values) }),
  },
  made(latticeGaps, {
    name: 'lattice',
    summary: 'gaps of whole steps, as from a nightly job',
    parameters: {
      step: duration('step', '1d', 'the step'),
      masses: numbers('masses', '0.5/0.3/0.2', 'weights of gaps of 1, 2, 3, ... steps'),
    },
  }),
  made(powerLawTrend, {
    name: 'power-law-trend',
    summary: 'Poisson changes ever slower or ever faster since the birth of the page',
    parameters: {
      scale: duration('scale', '1d', 'one change is expected this long after birth'),
      shape: number('shape', '0.7', 'below 1 slower, above 1 faster'),
    },
  }),
  {
    name: 'hour-of-week',
    summary: 'Poisson changes that follow a working week (UTC)',
    parameters: [period, ...Object.values(week)],
    create: (values) =>
      hourOfWeek({
        period: values.number('period'),
        weights: workingWeek(optionsIn(week, values)),
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

/** A process whose parameters are its options. */
function made<Options>(
  process: (options: Options) => ChangeProcess,
  {
    parameters,
    ...about
  }: Pick<ProcessKind, 'name' | 'summary'> & { readonly parameters: OptionParameters<Options> },
): ProcessKind {
  return {
    ...about,
    parameters: Object.values<Parameter>(parameters),
    create: (values) => process(optionsIn(parameters, values)),
  }
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
