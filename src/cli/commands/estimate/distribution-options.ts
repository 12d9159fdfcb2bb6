import type { FlatSearch } from '../../../estimators/law/five-point-law.js'
import { distributionMethods } from '../../../estimators/law/methods.js'
import { parseDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import { given } from '../../../model/given.js'
import type { Seconds } from '../../../model/units.js'
import { rateEstimators } from '../../../planner/registry.js'
import type { FlagsOf, OptionLine } from '../../command.js'
import { automatic, type DistributionChoice } from './page-distribution.js'

/** The options that belong to `--distribution` and `--staleness`. */
export const distributionOptions = [
  [
    '--distribution',
    'how old the content is and how long it stays, as distributions; --method takes those of Li, Cline & Loguinov too, several side by side',
  ],
  [
    '--bin-width <duration>',
    'with --distribution: bins of m6, or the step of five-point (default: found from the visits)',
    widthOf,
  ],
  [
    '--flat-region <from/to>',
    'with --method five-point: the widest and the narrowest bin width tried, such as 2d/30min (default: found from the visits)',
    searchOf,
  ],
  [
    '--staleness <gaps>',
    'how stale a copy is that is refreshed at such a gap, and how many updates behind: one gap, or several with commas',
    gapsOf,
  ],
] as const satisfies readonly OptionLine[]

type DistributionFlags = FlagsOf<typeof distributionOptions> & { readonly method?: string }

const fivePoint = {
  name: 'five-point',
  summary: 'Update gaps by five-point derivatives at the flat region of E[U]; asks much data.',
}

/** The methods of `--distribution`, for its help. */
export const lawMethods: readonly { readonly name: string; readonly summary: string }[] = [
  ...distributionMethods,
  fivePoint,
]

/** Which names of `--method` are distributions', and which the estimator's of the summary. */
export interface MethodNames {
  readonly laws: readonly string[]
  readonly estimator: string | undefined
}

/** `--method m4,m6` with --distribution: methods of laws, and at most one estimator for the summary. */
export function methodNames({ method, distribution, staleness }: DistributionFlags): MethodNames {
  if (method === undefined) return { laws: [], estimator: undefined }
  if (distribution !== true && staleness === undefined) return { laws: [], estimator: method }
  const names = method.split(',').map((name) => name.trim().toLowerCase())
  const known = lawMethods.map(({ name }) => name)
  const laws = names.filter((name) => known.includes(name))
  const others = names.filter((name) => !known.includes(name))
  const [estimator] = others
  const isEstimator = rateEstimators.some(({ name }) => name === estimator)
  if (others.length > 1 || (estimator !== undefined && !isEstimator))
    throw new OptionError(
      'unknown-method',
      `--distribution has no method "${others.at(-1)}"; there are: ${known.join(', ')}`,
    )
  return { laws: [...new Set(laws)], estimator }
}

/** The ways in which distributions are shown; the one that suits the visits where none was named. */
export function distributionChoices(
  { binWidth, flatRegion: search }: DistributionFlags,
  { laws }: MethodNames,
): readonly DistributionChoice[] {
  const bins = given({ binWidth })
  if (search !== undefined && !laws.includes(fivePoint.name))
    throw new OptionError('options-conflict', '--flat-region needs --method five-point')
  if (binWidth !== undefined && !laws.includes('m6') && !laws.includes(fivePoint.name))
    throw new OptionError('options-conflict', '--bin-width needs --method m6 or five-point')
  if (laws.length === 0) return [automatic]
  return laws.map((name) => {
    if (name === fivePoint.name) return { name, fivePoint: true, ...bins, ...given({ search }) }
    const method = distributionMethods.find((each) => each.name === name)!
    return { name, method, fivePoint: false, ...(name === 'm6' ? bins : {}) }
  })
}

function searchOf(text: string, option: string): FlatSearch {
  const ends = text.split('/').map((end) => widthOf(end, option))
  const [widest, narrowest] = ends.sort((a, b) => b - a)
  if (ends.length === 2 && widest! > 4 * narrowest!)
    return { widest: widest!, narrowest: narrowest! }
  throw new OptionError(
    'bad-bins',
    `${option} takes two bin widths, the one more than four times the other, such as 2d/30min`,
  )
}

function widthOf(text: string, option: string): Seconds {
  const width = parseDuration(text)
  if (width > 0 && Number.isFinite(width)) return width
  throw new OptionError('bad-bins', `${option} takes durations above 0, such as 1h; got "${text}"`)
}

/** The gaps of `--staleness 1h,1d`. */
function gapsOf(text: string, option: string): readonly Seconds[] {
  const gaps = text.split(',').map((each) => parseDuration(each))
  if (gaps.every((gap) => gap > 0 && Number.isFinite(gap))) return gaps
  throw new OptionError('bad-gap', `${option} takes gaps above 0, such as 1d; got "${text}"`)
}
