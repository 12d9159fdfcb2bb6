import { mean } from './summary.js'

/** Least-squares line y = intercept + slope x. A single x gives a level line. */
export function fitLine(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): { slope: number; intercept: number } {
  const centreX = mean(x)
  const centreY = mean(y)
  let both = 0
  let squares = 0
  for (let i = 0; i < x.length; i++) {
    both += (x[i]! - centreX) * (y[i]! - centreY)
    squares += (x[i]! - centreX) ** 2
  }
  const slope = squares > 0 ? both / squares : 0
  return { slope, intercept: centreY - slope * centreX }
}
