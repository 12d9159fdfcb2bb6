import { describe, expect, it } from 'vitest'
import {
  type GridPrior,
  learnGroupPriors,
  learnPrior,
  logGrid,
} from '../../../src/estimate/index.js'
import { Random } from '../../../src/numeric/index.js'
import { historyFromGaps } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

const grid = logGrid({ shortest: 0.1, longest: 1000, nodes: 41 })

function pagesOf(
  group: string,
  { pages, changePeriod, seed }: { pages: number; changePeriod: number; seed: number },
) {
  const random = new Random(seed)
  return Array.from({ length: pages }, () => {
    const gaps = Array.from({ length: 15 }, () => 0.5 + 10 * random.uniform())
    return { group, history: poissonPage({ changePeriod, gaps }, random) }
  })
}

/** Half the sum of absolute differences: 0 the same, 1 nothing shared. */
const apart = (a: GridPrior, b: GridPrior) =>
  a.masses.reduce((total, mass, i) => total + Math.abs(mass - b.masses[i]!) / 2, 0)

const news = pagesOf('news', { pages: 300, changePeriod: 3, seed: 101 })
const terms = pagesOf('terms', { pages: 300, changePeriod: 80, seed: 102 })
const shop = pagesOf('shop', { pages: 2, changePeriod: 3, seed: 103 })
const all = [...news, ...terms, ...shop]
const ownOf = (pages: typeof all) =>
  learnPrior(
    pages.map((each) => each.history),
    { grid },
  ).prior

describe('learnGroupPriors', () => {
  const strength = 30
  const { whole, groups } = learnGroupPriors(all, { grid, strength })

  it('learns the whole as learnPrior does', () => {
    expect(whole).toEqual(
      learnPrior(
        all.map((each) => each.history),
        { grid },
      ),
    )
  })

  it('leaves a large group near its own law, and a small one near the whole', () => {
    const large = groups.get('news')!.prior
    expect(apart(large, ownOf(news))).toBeLessThan(0.2)
    expect(apart(large, whole.prior)).toBeGreaterThan(0.35)
    // Two pages against thirty pages' worth: at most 2 / 32 of the mass moves.
    const small = groups.get('shop')!.prior
    expect(apart(small, whole.prior)).toBeLessThan(2 / 32 + 0.01)
    expect(apart(small, ownOf(shop))).toBeGreaterThan(0.35)
  })

  it('goes to the whole as the strength grows, and to its own law as it falls', () => {
    const newsAt = (value: number) =>
      learnGroupPriors(all, { grid, strength: value }).groups.get('news')!.prior
    const [weak, strong] = [newsAt(0.1), newsAt(1e6)]
    expect(apart(strong, whole.prior)).toBeLessThan(0.01)
    expect(apart(weak, ownOf(news))).toBeLessThan(0.1)
    expect(apart(weak, whole.prior)).toBeGreaterThan(apart(newsAt(100), whole.prior))
  })

  it('keeps a group whose pages told nothing at the whole', () => {
    const silent = { group: 'new host', history: historyFromGaps([]) }
    const result = learnGroupPriors([...all, silent], { grid, strength })
    const unheard = result.groups.get('new host')!
    expect(unheard.pages).toBe(0)
    expect(apart(unheard.prior, whole.prior)).toBeLessThan(0.01)
  })

  it('chooses little strength where groups differ, much where they do not', () => {
    const strengths = [1, 1000]
    const some = [...news.slice(0, 60), ...terms.slice(0, 60)]
    const differ = learnGroupPriors(some, { grid, strengths })
    expect(differ.strength).toBe(1)
    expect(differ.scores.map((each) => each.strength)).toEqual(strengths)
    const mixed = some.map(({ history }, i) => ({ group: `host ${i % 12}`, history }))
    expect(learnGroupPriors(mixed, { grid, strengths }).strength).toBe(1000)
  })

  it('needs no choice where there is none', () => {
    expect(learnGroupPriors([], { grid })).toMatchObject({ strength: 10, scores: [] })
    const alone = learnGroupPriors(news.slice(0, 5), { grid })
    expect(alone).toMatchObject({ strength: 10, scores: [] })
    expect([...alone.groups.keys()]).toEqual(['news'])
  })

  it.each([0, -1, Number.NaN, Infinity])('refuses a strength of %s', (value) => {
    expect(() => learnGroupPriors(shop, { grid, strength: value })).toThrow(
      expect.objectContaining({ code: 'bad-strength' }),
    )
  })
})
