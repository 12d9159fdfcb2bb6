import type { History, Observation } from '../../../src/model/history.js'
import type { Random } from '../../../src/numeric/random.js'

/** A draw of one gap. */
export type Draw = (random: Random) => number

/** The paper's updates: Pareto, alpha 3, beta 1, so E[U] = 1/2 and G(x) = 1 - (1+x)^-2. */
export const pareto: Draw = (random) => random.positive() ** (-1 / 3) - 1
export const paretoG = (x: number) => 1 - (1 + x) ** -2
export const paretoF = (x: number) => 1 - (1 + x) ** -3
/** The mean of G over the bin (y - h, y]: shared oracles. */
export const paretoBin = ({ y, h }: { y: number; h: number }) =>
  1 - (1 / (1 + y - h) - 1 / (1 + y)) / h

export const exponential: Draw = (random) => random.exponential()
export const constant: Draw = () => 1

/** A page that was already old when watching began, seen at renewal visits. */
export function renewalHistory(given: {
  random: Random
  update: Draw
  gap: Draw
  visits: number
  warmUp?: number
}): History {
  const { random, update, gap, visits, warmUp = 100 } = given
  let last = -warmUp
  let next = last + update(random)
  const moveTo = (at: number) => {
    const before = last
    while (next <= at) {
      last = next
      next = last + update(random)
    }
    return last !== before
  }
  moveTo(0)
  const start = { at: 0, contentAge: -last }
  const observations: Observation[] = []
  let at = 0
  for (let i = 1; i < visits; i++) {
    const step = gap(random)
    const begin = at
    at += step
    const changed = moveTo(at)
    observations.push({ at, gap: at - begin, changed, contentAge: at - last })
  }
  return { start, observations }
}

/** Equal gaps of 1 with the given changes. */
export function dailyHistory(changes: ArrayLike<number | boolean>): History {
  const observations = Array.from(changes, (changed, i) => ({
    at: i + 1,
    gap: 1,
    changed: Boolean(changed),
  }))
  return { start: { at: 0 }, observations }
}
