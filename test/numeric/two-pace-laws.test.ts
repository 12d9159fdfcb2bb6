import { describe, expect, it } from 'vitest'
import { twoPaceLaws as laws } from '../../src/numeric/hyperexponential.js'

describe('twoPaceLaws', () => {
  it('begins with the Poisson laws, one a pace', () => {
    laws.changeRates.forEach((pace, law) => {
      expect(laws.fast[law]).toBe(law)
      expect(laws.slow[law]).toBe(law)
      expect(laws.meanRates[law]).toBeCloseTo(pace, 12)
      expect(laws.relaxation[law]).toBe(0)
    })
  })

  // By hand: mean gap = share / fast + (1 - share) / slow, and time at the fast pace its first part.
  it('has the long-run rate and share of time of its mean gap', () => {
    for (let law = laws.changeRates.length; law < laws.size; law++) {
      const quick = laws.share[law]! / laws.changeRates[laws.fast[law]!]!
      const calm = (1 - laws.share[law]!) / laws.changeRates[laws.slow[law]!]!
      expect(laws.meanRates[law]! * (quick + calm)).toBeCloseTo(1, 12)
      expect(laws.fastTime[law]).toBeCloseTo(quick / (quick + calm), 12)
    }
  })
})
