import { HOUR, OptionError, type Seconds } from '../../model/index.js'

/** More nodes than this is a slip of units, not a grid. */
const mostNodes = 1_000_000

/**
 * Change periods at equal steps of one hour, or `step`, up to `longest`: the
 * grid on which Grimes & Ford (4.3) take the posterior. `posteriorOf` works on
 * it as on any grid; a grid in equal ratios (`logGrid`) says as much with far
 * fewer nodes.
 */
export function hourlyGrid(range: {
  readonly longest: Seconds
  readonly step?: Seconds
}): Float64Array {
  const step = range.step ?? HOUR
  const nodes = Math.floor((range.longest / step) * (1 + 1e-12))
  if (!(step > 0 && nodes >= 1 && nodes <= mostNodes)) {
    throw new OptionError(
      'bad-prior',
      `a grid at equal steps needs 0 < step <= longest and at most ${mostNodes} steps; got step ${step}, longest ${range.longest}`,
    )
  }
  return Float64Array.from({ length: nodes }, (_, i) => (i + 1) * step)
}
