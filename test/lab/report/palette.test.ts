import { describe, expect, it } from 'vitest'
import { palette, seriesColour } from '../../../src/lab/figures/palette.js'

/** Red, green and blue from 0 to 1, linear in light. */
function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
}

/** WCAG 2.2: relative luminance and contrast. */
const luminance = (hex: string) => {
  const [r, g, b] = linear(hex) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Seen without the cones for green or for red: Vienot, Brettel & Mollon 1999, eqs 2 to 5. */
const blindness = {
  deuteranopia: [0.29275, 0.70725, -0.02234, 1.02234],
  protanopia: [0.11238, 0.88762, 0.00401, 0.99599],
}
function seenBy(hex: string, [a, b, c, d]: readonly number[]): number[] {
  const [r, g, blue] = linear(hex) as [number, number, number]
  const yellow = a! * r + b! * g
  return [yellow, c! * r - c! * g + d! * blue].map((light) => Math.cbrt(Math.max(0, light)))
}

const by = (name: string) => palette.find((colour) => colour.name === name)!
const series = palette.filter(({ name }) => /^c\d$/.test(name))

describe.each(['light', 'dark'] as const)('the palette on %s paper', (theme) => {
  const paper = by('paper')[theme]

  it.each(['ink', 'muted'])('%s is readable as text', (name) => {
    expect(contrast(by(name)[theme], paper)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(series.map(({ name }) => name))('%s is seen as a mark', (name) => {
    expect(contrast(by(name)[theme], paper)).toBeGreaterThanOrEqual(3)
  })

  it.each(Object.entries(blindness))('the first three series differ for %s', (_, matrix) => {
    const seen = series.slice(0, 3).map((colour) => seenBy(colour[theme], matrix))
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const [one, other] = [seen[i]!, seen[j]!]
      const apart = Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!)
      expect(apart, `series ${i + 1} and ${j + 1}`).toBeGreaterThan(0.1)
    }
  })
})

describe('seriesColour', () => {
  it('comes round again', () => {
    expect(seriesColour(0)).toBe('var(--c1)')
    expect(seriesColour(6)).toBe('var(--c1)')
  })
})
