import { gammaQuantile, type Random } from 'revisit/numeric'
import { overUnit } from './integral.js'

/** A law of visit gaps S, mean 1; a visit rate of lambda divides every gap by lambda. */
export interface Spacing {
  readonly name: string
  draw(random: Random): number
  /** E[f(S)]. */
  expect(f: (gap: number) => number): number
}

/** From the gap that is exceeded with probability u. */
function byTail({ name, exceeded }: { name: string; exceeded: (u: number) => number }): Spacing {
  return {
    name,
    draw: (random) => exceeded(random.positive()),
    expect: (f) => overUnit((u) => f(exceeded(u))),
  }
}

/** The first law with chance `share`, else the second. */
function mixture(
  name: string,
  { share, first, second }: { share: number; first: Spacing; second: Spacing },
): Spacing {
  return {
    name,
    draw: (random) => (random.uniform() < share ? first : second).draw(random),
    expect: (f) => share * first.expect(f) + (1 - share) * second.expect(f),
  }
}

export function constantGap(gap: number): Spacing {
  return { name: 'constant', draw: () => gap, expect: (f) => f(gap) }
}

export const constant = constantGap(1)
export const exponential = byTail({ name: 'exponential', exceeded: (u) => -Math.log(u) })
export const uniform = byTail({ name: 'uniform', exceeded: (u) => 2 * (1 - u) })
/** Shape 3 as the updates, scale 2. */
export const pareto = byTail({ name: 'Pareto', exceeded: (u) => 2 * (u ** (-1 / 3) - 1) })
export const erlang: Spacing = {
  name: 'Erlang of 2',
  draw: (random) => random.gamma(2) / 2,
  expect: (f) => overUnit((u) => f(gammaQuantile(2, u) / 2)),
}
export const bursty = mixture('hyperexponential', {
  share: 0.9,
  first: scaled(exponential, 0.5),
  second: scaled(exponential, 5.5),
})

/** Two lengths, alike likely. */
export function either({ short, long }: { short: number; long: number }): Spacing {
  return mixture(`${short.toPrecision(3)} or ${long.toPrecision(3)}`, {
    share: 0.5,
    first: constantGap(short),
    second: constantGap(long),
  })
}

/** The same law with gaps `factor` times as long. */
export function scaled(spacing: Spacing, factor: number): Spacing {
  return {
    name: spacing.name,
    draw: (random) => factor * spacing.draw(random),
    expect: (f) => spacing.expect((gap) => f(factor * gap)),
  }
}
