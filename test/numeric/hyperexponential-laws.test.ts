import { describe, expect, it } from 'vitest'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'

describe('hyperexponentialLaws', () => {
  it('begins with the Poisson laws, one a rate', () => {
    laws.changeRates.forEach((changeRate, law) => {
      expect(laws.fast[law]).toBe(law)
      expect(laws.slow[law]).toBe(law)
      expect(laws.meanRates[law]).toBeCloseTo(changeRate, 12)
      expect(laws.relaxation[law]).toBe(0)
    })
  })

  // By hand: mean gap = share / fast + (1 - share) / slow, and time at the fast rate its first part.
  it('has the long-run rate and share of time of its mean gap', () => {
    for (let law = laws.changeRates.length; law < laws.size; law++) {
      const quick = laws.share[law]! / laws.changeRates[laws.fast[law]!]!
      const unchanged = (1 - laws.share[law]!) / laws.changeRates[laws.slow[law]!]!
      expect(laws.meanRates[law]! * (quick + unchanged)).toBeCloseTo(1, 12)
      expect(laws.fastTime[law]).toBeCloseTo(quick / (quick + unchanged), 12)
    }
  })
})
