/**
 * The nondecreasing sequence nearest to `values` in weighted least squares, by
 * pooling adjacent violators. O(n). Ayer et al. 1955.
 */
export function isotonic(values: ArrayLike<number>, weights?: ArrayLike<number>): Float64Array {
  const n = values.length
  const level = new Float64Array(n)
  const weight = new Float64Array(n)
  const size = new Int32Array(n)
  let blocks = 0
  for (let i = 0; i < n; i++) {
    level[blocks] = values[i]!
    weight[blocks] = weights === undefined ? 1 : weights[i]!
    size[blocks] = 1
    blocks++
    while (blocks > 1 && level[blocks - 2]! > level[blocks - 1]!) {
      blocks--
      pool({ level, weight, size }, blocks)
    }
  }
  return unfold({ level, size, blocks, n })
}

/** Merges block `at` into the one before it. */
function pool(
  b: { level: Float64Array; weight: Float64Array; size: Int32Array },
  at: number,
): void {
  const total = b.weight[at - 1]! + b.weight[at]!
  const both = b.level[at - 1]! * b.weight[at - 1]! + b.level[at]! * b.weight[at]!
  b.level[at - 1] = total > 0 ? both / total : (b.level[at - 1]! + b.level[at]!) / 2
  b.weight[at - 1] = total
  b.size[at - 1]! += b.size[at]!
}

function unfold(b: {
  level: Float64Array
  size: Int32Array
  blocks: number
  n: number
}): Float64Array {
  const out = new Float64Array(b.n)
  let at = 0
  for (let block = 0; block < b.blocks; block++) {
    out.fill(b.level[block]!, at, at + b.size[block]!)
    at += b.size[block]!
  }
  return out
}

/**
 * The least concave majorant of the points (x, y), x ascending, evaluated at
 * the same x: the smallest concave function that lies on or above all of them.
 * One sweep over the upper hull, O(n).
 */
export function leastConcaveMajorant(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  const hull: number[] = []
  for (let i = 0; i < x.length; i++) {
    while (hull.length >= 2 && !turnsDown(hull[hull.length - 2]!, hull[hull.length - 1]!, i))
      hull.pop()
    hull.push(i)
  }
  const out = new Float64Array(x.length)
  for (let k = 0, i = 0; i < x.length; i++) {
    while (k + 1 < hull.length - 1 && hull[k + 1]! <= i) k++
    const [a, b] = [hull[k]!, hull[Math.min(k + 1, hull.length - 1)]!]
    out[i] = a === b ? y[a]! : y[a]! + ((y[b]! - y[a]!) * (x[i]! - x[a]!)) / (x[b]! - x[a]!)
  }
  return out

  function turnsDown(a: number, b: number, c: number): boolean {
    return (y[b]! - y[a]!) * (x[c]! - x[b]!) > (y[c]! - y[b]!) * (x[b]! - x[a]!)
  }
}
