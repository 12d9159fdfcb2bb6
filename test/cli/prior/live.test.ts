import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/model/units.js'
import { shippedRates } from '../../../src/planner/prior/shipped-rates.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

const start = (pair: { changed: number; unchanged: number }) =>
  pair.changed / Math.log1p(pair.changed / pair.unchanged)

interface Shown {
  readonly due: { readonly at: number; readonly reason: string }
  readonly lastVisit: { readonly at: number }
}

describe('the prior of grimes-ford reaches new pages', () => {
  it('as shipped, then as fitted, then by hand, each with its number in the reason', async () => {
    const site = await crawledSite()
    for (const page of ['a', 'b', 'c', 'd', 'e'])
      site.pages[`/${page}`] = { body: `<p>${page}</p>` }
    const { base, revisit, folder } = site
    const visited = async (page: string, policy: string, more: string[] = []) => {
      const url = `${base}/${page}`
      const added = await revisit(['watch', url, '--policy', policy, ...more])
      expect(added.code).toBe(0)
      const visit = await revisit(['visit', url])
      expect(visit.code).toBe(0)
      const shown = JSON.parse((await revisit(['show', url, '--json'])).out) as Shown
      return { ...shown, added: added.out, gap: shown.due.at - shown.lastVisit.at }
    }
    if (shippedRates.kind !== 'pseudo-gaps') throw new Error('the shipped prior is two pseudo-gaps')

    const shipped = await visited('a', 'grimes-ford')
    expect(shipped.gap / start(shippedRates.pseudoGaps)).toBeCloseTo(1, 6)
    expect(shipped.due.reason).toMatch(
      /^new: pages like those of the histories shipped with Revisit change about every 4(\.\d)? days \(best first gap by two pseudo-gaps, 11 days changed, 19 hours unchanged\)/,
    )
    expect(shipped.added).toContain('by its policy grimes-ford: pages like those of the histories')

    const none = await visited('b', 'grimes-ford:prior=none')
    expect(none.gap).toBeCloseTo(11 * DAY, 3)
    expect(none.due.reason).toContain('with no prior')

    const hand = await visited('c', 'grimes-ford:prior=pseudo:69h/13h')
    expect(hand.gap / start({ changed: 69, unchanged: 13 }) / HOUR).toBeCloseTo(1, 6)

    // Two pages that change every other visit at gaps of an hour.
    const rows = ['url,at,changed']
    for (const page of ['x', 'y'])
      for (let i = 0; i < 40; i++)
        rows.push(`https://log.example/${page},${1_700_000_000 + i * HOUR},${i % 2 === 1}`)
    writeFileSync(join(folder, 'log.csv'), rows.join('\n'))
    const fit = [
      'prior',
      'fit',
      join(folder, 'log.csv'),
      '--method',
      'pseudo-gaps',
      '--changes',
      '10',
    ]
    const fitted = JSON.parse((await revisit([...fit, '--json'])).out) as {
      readonly fits: readonly { readonly changed: number; readonly unchanged: number }[]
    }
    const own = await visited('d', 'grimes-ford')
    expect(own.gap / start(fitted.fits[0]!)).toBeCloseTo(1, 6)
    expect(own.due.reason).toMatch(/^new: pages like the 2 of .*log\.csv change about every/)

    const law = [...fit.slice(0, 4), 'empirical', '--changes', '10', '--json']
    const empirical = JSON.parse((await revisit(law)).out) as { readonly firstGap: { gap: number } }
    const whole = await visited('e', 'grimes-ford')
    expect(whole.gap / empirical.firstGap.gap).toBeCloseTo(1, 6)
    expect(whole.due.reason).toMatch(
      /^new: the best first gap for pages like the 2 of .*log\.csv is /,
    )
    // It goes along with the prior of another collection.
    const file = join(folder, 'prior.json')
    expect((await revisit(['prior', 'export', file])).code).toBe(0)
    const other = ['--collection', 'other']
    expect((await revisit(['prior', 'import', file, ...other])).code).toBe(0)
    const there = (await revisit(['prior', 'show', '--json', ...other])).out
    expect(JSON.parse(there)).toMatchObject({ rates: empirical })
    writeFileSync(file, JSON.stringify({ ...JSON.parse(there), rates: { format: 'none' } }))
    const broken = await revisit(['prior', 'import', file, ...other])
    expect(broken).toMatchObject({ code: 2 })
    expect(broken.err).toContain('prior.json: its "rates" cannot be followed')
    const plan = await revisit(['plan', '--budget', '10'])
    expect(plan.code).toBe(0)
  }, 60_000)
})
