import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  gridPrior,
  logGrid,
  logUniformPrior,
  parsePrior,
  priorFile,
} from '../../../src/estimate/index.js'
import { InputError } from '../../../src/model/index.js'

const origin = { how: 'learned by EM', pages: 1234 }
const good = priorFile(logUniformPrior({ shortest: 1, longest: 100, nodes: 3 }), origin)

describe('a prior as a file', () => {
  it('comes back to the last bit', () => {
    const weights = fc.array(fc.double({ min: 1e-12, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 30,
    })
    fc.assert(
      fc.property(weights, (each) => {
        const prior = gridPrior(logGrid({ shortest: 0.37, longest: 9e7, nodes: each.length }), each)
        const read = parsePrior(JSON.stringify(priorFile(prior, origin)))
        expect(read).toEqual({ prior, origin })
      }),
      { seed: 111, numRuns: 50 },
    )
  })

  it.each([
    ['a file cut short', JSON.stringify(good).slice(0, -5), /not JSON.*cut short/],
    ['a list', '[]', /not an object/],
    ['nothing', 'null', /not an object/],
    ['another format', JSON.stringify({ ...good, format: 'other' }), /"format": "revisit-prior"/],
    ['a later version', JSON.stringify({ ...good, version: 2 }), /version 1 of the format, not 2/],
    ['no version', JSON.stringify({ ...good, version: undefined }), /not undefined/],
    [
      'periods that are no list',
      JSON.stringify({ ...good, periods: 3 }),
      /"periods" is not a list/,
    ],
    [
      'a period in words',
      JSON.stringify({ ...good, periods: [1, '2', 3] }),
      /"periods"\[1\] is "2"/,
    ],
    ['periods that fall', JSON.stringify({ ...good, periods: [1, 3, 2] }), /"periods"\[2\] is 2/],
    ['a period of zero', JSON.stringify({ ...good, periods: [0, 1, 2] }), /"periods"\[0\] is 0/],
    ['unequal lists', JSON.stringify({ ...good, masses: [1] }), /3 periods and 1 masses/],
    ['empty lists', JSON.stringify({ ...good, periods: [], masses: [] }), /0 periods and 0 masses/],
    ['a negative mass', JSON.stringify({ ...good, masses: [1, -1, 1] }), /"masses"\[1\] is -1/],
    ['masses that are counts', JSON.stringify({ ...good, masses: [2, 3, 4] }), /sum to 9/],
    ['no word on how', JSON.stringify({ ...good, how: undefined }), /"how"/],
    ['half a page', JSON.stringify({ ...good, pages: 0.5 }), /"pages"/],
  ])('refuses %s, and says why', (_, text, reason) => {
    expect(() => parsePrior(text)).toThrow(reason)
    expect(() => parsePrior(text)).toThrow(InputError)
    expect(() => parsePrior(text)).toThrow(expect.objectContaining({ code: 'bad-prior-file' }))
  })

  it('never breaks in another way on any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(() => parsePrior(text)).toThrow(InputError)
      }),
      { seed: 112, numRuns: 200 },
    )
  })
})
