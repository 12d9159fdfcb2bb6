import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { learnedMasks } from '../../src/content/noise/learned-masks.js'
import { maskedTokens, noNoise } from '../../src/content/noise/masks.js'
import { couldBeMachineMade, formOf, tokensOf } from '../../src/content/noise/tokens.js'
import { Random } from '../../src/numeric/random.js'

describe('a token', () => {
  // It threw: the expression kept a place to go back to for each mark.
  it('of one letter and 4.7 million combining marks is a word', () => {
    const [token] = tokensOf(`a${'\u0301'.repeat(4_700_000)}`)
    expect(formOf(token!, '')).toBeNull()
    expect(couldBeMachineMade(token!)).toBe(false)
  })

  // Quadratic before: 80,000 marks took half a minute, these would take days.
  it.each([
    ['letters after marks', `a${'\u0301'.repeat(3_000_000)}b`],
    ['marks with letters between them', `${'-'.repeat(200)}a`.repeat(10_000)],
    ['quotes', `${'"'.repeat(2_000_000)}x${'"'.repeat(2_000_000)}`],
  ])('of millions of %s is judged at once', (_, token) => {
    expect(formOf(token, token)).toBeNull()
  })

  it('that is long and made by a machine is known by its beginning', () => {
    expect(formOf('4f1a9c'.repeat(500_000), '')).toBe('id')
    expect(formOf('7'.repeat(3_000_000), '')).toBe('id')
  })

  it('is stripped of the same marks as by the plain expression', () => {
    const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}=]+$/gu
    const unit = fc.constantFrom('a', '7', '=', '-', '"', '\u0301', 'é', '𝒜', '😀', '\ud835', '_')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (token) => {
        const bare = token.replace(edges, '').replace(/^[\p{L}_-]{1,30}[=:#]/u, '')
        expect(couldBeMachineMade(token)).toBe(/^[\w\-+/=.~%]{5,}$/.test(bare))
      }),
      { seed: 71, numRuns: 3000 },
    )
  })
})

/** A page of distinct words in lines, and the same with some words exchanged. */
function pageOfWords(words: number, varying: number): { first: string[]; second: string[] } {
  const random = new Random(23)
  const first = Array.from({ length: words }, (_, i) =>
    i % 12 === 11 ? '\n' : `word${letters(i)}`,
  )
  const second = [...first]
  for (let i = 0; i < varying; i++) {
    const at = Math.floor(random.uniform() * words)
    if (first[at] !== '\n') second[at] = `other${letters(i)}`
  }
  return { first, second }
}

function letters(n: number): string {
  return [...n.toString(26)]
    .map((each) => String.fromCharCode(97 + Number.parseInt(each, 26)))
    .join('')
}

describe('a page of 200,000 words', () => {
  // Over a minute before: the whole page was gone through anew for each place, three times.
  it('of which 1,400 vary is learned from', () => {
    const { first, second } = pageOfWords(200_000, 1_400)
    const learned = learnedMasks({ samples: [first, second, first], old: null, noise: noNoise })
    expect(learned.masks.every(({ kind }) => kind === 'run')).toBe(true)
    expect(Object.keys(learned.varied).length).toBeLessThanOrEqual(10)
  })

  it('whose places look all alike is given up on, not gone through for each', () => {
    const random = new Random(24)
    const first = Array.from({ length: 200_000 }, () => (random.uniform() < 0.5 ? 'left' : 'right'))
    const second: string[] = [...first]
    for (let i = 100; i < 200_000; i += 150) second[i] = `other${letters(i)}`
    const learned = learnedMasks({ samples: [first, second, first], old: null, noise: noNoise })
    expect(learned.masks.length).toBeLessThanOrEqual(1_400)
  })
})

describe('a place of words that come back', () => {
  it('is kept in little space, however long the words around it are', () => {
    const long = `a${'\u0301'.repeat(1_000_000)}`
    const page = (ad: string) => tokensOf(`${long} buy ${ad} today ${long}\n${long} 5 ${long}\nend`)
    const samples = [page('red hats here'), page('two blue coats'), page('red hats here')]
    const { masks } = learnedMasks({ samples, old: null, noise: noNoise })
    expect(masks).toHaveLength(1)
    expect(JSON.stringify(masks).length).toBeLessThan(10_000)
    const texts = samples.map((each) => maskedTokens(each, masks).tokens.join(' '))
    expect(new Set(texts).size).toBe(1)
  })

  it('is masked where its neighbours find it and nothing that stays', () => {
    const page = (ad: string) => tokensOf(`Top of page\nbuy ${ad} today now\nrest of page\nend`)
    const samples = [page('red hats here'), page('two blue coats'), page('red hats here')]
    const { masks } = learnedMasks({ samples, old: null, noise: noNoise })
    expect(masks).toHaveLength(1)
    const texts = samples.map((each) => maskedTokens(each, masks).tokens.join(' '))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('rest of page')
  })

  it('is not masked where the same neighbours stand around words that stay', () => {
    const page = (ad: string) => tokensOf(`a buy ${ad} today b\na buy our true news today b\nend`)
    const samples = [page('red hats here'), page('two blue coats'), page('red hats here')]
    const { masks } = learnedMasks({ samples, old: null, noise: noNoise })
    for (const mask of masks) {
      const { tokens } = maskedTokens(samples[0]!, [mask], { strict: true })
      expect(tokens.join(' ')).toContain('our true news')
    }
  })
})
