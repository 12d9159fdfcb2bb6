import type { RandomSource } from '../../model/index.js'

/** For a state that is only looked at: it needs a source, and nothing is drawn from it. */
export const noChance: RandomSource = {
  uniform: () => 0.5,
  exponential: () => 1,
  normal: () => 0,
  gamma: (shape) => shape,
}
