import { rateEstimator, rateEstimators } from '../../estimate/index.js'
import { type TimeKind, timeKinds, type VisitFormat, visitFormats } from '../../formats/index.js'
import { type Estimator, OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'
import { parseLevel } from '../text/parse-share.js'
import { parseNow, parseZone } from '../text/parse-time.js'

export const orders = ['url', 'period', 'changes'] as const
export type Order = (typeof orders)[number]

/** The options as a person gave them. */
export interface EstimateFlags {
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
}

export function estimateSettings(
  flags: EstimateFlags,
  { clock }: { clock: UnixSeconds },
): EstimateSettings {
  refuseTogether(flags, ['sort', 'sorted'])
  refuseTogether(flags, ['order', 'sorted'])
  refuseTogether(flags, ['method', 'compare'])
  const compare = flags.compare === true
  return {
    estimators: compare ? rateEstimators : [rateEstimator(flags.method ?? 'irregular-mle')],
    compare,
    level: flags.level === undefined ? 0.95 : parseLevel(flags.level, '--level'),
    json: flags.json === true,
    order: oneOf(orders, flags.order, '--order'),
    top: flags.top === undefined ? Infinity : parseTop(flags.top),
    format: oneOf(visitFormats, flags.format, '--format'),
    time: oneOf(timeKinds, flags.time, '--time'),
    zone: flags.zone === undefined ? undefined : parseZone(flags.zone),
    now: flags.now === undefined ? clock : parseNow(flags.now),
    strict: flags.strict === true,
    sort: flags.sort === true,
    sorted: flags.sorted === true,
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

function parseTop(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new OptionError('bad-top', `--top takes a whole number from 1; got "${text}"`)
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
