import { rateEstimator, rateEstimators } from '../../estimate/index.js'
import { type TimeKind, timeKinds, type VisitFormat, visitFormats } from '../../formats/index.js'
import { type Estimator, OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'
import { parseLevel } from '../text/parse-share.js'
import { parseNow, parseZone } from '../text/parse-time.js'
import { type View, type ViewFlags, viewOf } from './view.js'

export type { Span, View } from './view.js'

export const orders = ['url', 'period', 'changes'] as const
export type Order = (typeof orders)[number]

/** The options as a person gave them. */
export interface EstimateFlags extends ViewFlags {
  readonly method?: string
  readonly compare?: boolean
  readonly level?: string
  readonly json?: boolean
  readonly order?: string
  readonly top?: string
  readonly format?: string
  readonly time?: string
  readonly zone?: string
  readonly now?: string
  readonly strict?: boolean
  readonly sort?: boolean
  readonly sorted?: boolean
  readonly html?: string
  readonly figures?: string
}

/** The options, checked. */
export interface EstimateSettings {
  readonly estimators: readonly Estimator[]
  readonly compare: boolean
  readonly level: number
  readonly json: boolean
  readonly order: Order | undefined
  readonly top: number
  readonly format: VisitFormat | undefined
  readonly time: TimeKind | undefined
  readonly zone: Seconds | undefined
  readonly now: UnixSeconds
  readonly strict: boolean
  readonly sort: boolean
  readonly sorted: boolean
  readonly view: View
  /** Where to write a report; undefined for none. */
  readonly html: string | undefined
  /** How many pages of the report have figures. */
  readonly figures: number
}

export function estimateSettings(
  flags: EstimateFlags,
  { clock }: { clock: UnixSeconds },
): EstimateSettings {
  refuseTogether(flags, ['sort', 'sorted'])
  refuseTogether(flags, ['order', 'sorted'])
  refuseTogether(flags, ['method', 'compare'])
  const compare = flags.compare === true
  const zone = flags.zone === undefined ? undefined : parseZone(flags.zone)
  return {
    estimators: compare ? rateEstimators : [rateEstimator(flags.method ?? 'irregular-mle')],
    compare,
    level: flags.level === undefined ? 0.95 : parseLevel(flags.level, '--level'),
    json: flags.json === true,
    order: oneOf(orders, flags.order, '--order'),
    top: flags.top === undefined ? Infinity : parseCount(flags.top, '--top'),
    format: oneOf(visitFormats, flags.format, '--format'),
    time: oneOf(timeKinds, flags.time, '--time'),
    zone,
    now: flags.now === undefined ? clock : parseNow(flags.now),
    strict: flags.strict === true,
    sort: flags.sort === true,
    sorted: flags.sorted === true,
    view: viewOf(flags, { zone: zone ?? 0 }),
    html: flags.html,
    figures: flags.figures === undefined ? 20 : parseCount(flags.figures, '--figures'),
  }
}

function oneOf<Name extends string>(
  names: readonly Name[],
  given: string | undefined,
  option: string,
): Name | undefined {
  if (given === undefined) return undefined
  const found = names.find((name) => name === given.toLowerCase())
  if (found !== undefined) return found
  throw new OptionError('bad-option', `${option} takes ${names.join(', ')}; got "${given}"`)
}

function parseCount(text: string, option: '--top' | '--figures'): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new OptionError(
    `bad-${option.slice(2)}`,
    `${option} takes a whole number from 1; got "${text}"`,
  )
}

function refuseTogether(
  flags: EstimateFlags,
  [one, other]: readonly [keyof EstimateFlags, keyof EstimateFlags],
): void {
  if (flags[one] === undefined || flags[other] === undefined) return
  throw new OptionError(
    'options-conflict',
    `--${one} and --${other} do not go together; ${why[one]}`,
  )
}

const why: Partial<Record<keyof EstimateFlags, string>> = {
  sort: 'leave out --sorted to sort in memory, or --sort for a log that is sorted already',
  order: 'pages come out as they end; leave out --sorted to put them in order',
  method: '--compare shows every method; leave out one of them',
}
