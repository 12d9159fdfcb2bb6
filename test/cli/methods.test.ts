import { describe, expect, it } from 'vitest'
import { lawMethods } from '../../src/cli/commands/estimate/distribution-options.js'
import { trendEstimators } from '../../src/estimators/trend/trend-estimators.js'
import { learners, policyKinds, policyOf, rateEstimators } from '../../src/planner/registry.js'
import {
  distributionSources,
  estimatorSources,
  learnerSources,
  policySources,
  trendSources,
} from '../../src/planner/sources.js'
import { runHere } from '../fixtures/small-environment.js'

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort()

describe('where methods come from', () => {
  it.each([
    ['policies', policyKinds, policySources],
    ['estimators', rateEstimators, estimatorSources],
    ['learners', learners, learnerSources],
    ['distributions', lawMethods, distributionSources],
    ['trends', trendEstimators, trendSources],
  ])('is declared for all %s, and for nothing else', (_, list, sources) => {
    expect(Object.keys(sources).sort()).toEqual(names(list))
  })
})

interface Listed {
  readonly name: string
  readonly summary: string
  readonly learner?: string | null
  readonly source: { readonly paper: string; readonly where: string } | null
  readonly parameters: readonly { readonly name: string; readonly default: string }[]
}

describe('revisit policies', () => {
  it('lists every policy with its parameters, defaults, learner and place in its paper', async () => {
    const { code, out } = await runHere(['policies'])
    expect(code).toBe(0)
    for (const { name, summary, parameters } of policyKinds) {
      expect(out).toMatch(new RegExp(`^${name} `, 'm'))
      expect(out).toContain(summary)
      for (const each of parameters) expect(out).toContain(`  ${each.name}=${each.default} `)
    }
    // Malcolm & Armitage: Table 4 holds the parameters of Listing 2.
    expect(out).toMatch(
      /malcolm-armitage-2 .*\n {2}from +Malcolm & Armitage 2003, Listing 2 and Table 4\n {2}learner +detection-gap\n {2}changes=100 .*\n {2}soft=2d .*\n {2}ratio=3 .*\n {2}min=10min /,
    )
    const narrow = await runHere(['policies'], { columns: 72 })
    for (const line of narrow.out.split('\n')) expect(line.length, line).toBeLessThan(74)
  })

  it('gives a program the same, from which each policy can be made', async () => {
    const { out } = await runHere(['policies', '--json'])
    const { policies } = JSON.parse(out) as { policies: Listed[] }
    expect(names(policies)).toEqual(names(policyKinds))
    for (const { name, parameters, learner } of policies) {
      const written = parameters.map((each) => `${each.name}=${each.default}`)
      const policy = policyOf(`${name}:${written.join(',')}`)
      // With the parameters it goes by, which the list names apart.
      expect(policy.learner?.split(':')[0] ?? null).toBe(learner?.split(':')[0] ?? null)
    }
    const listing1 = policies.find(({ name }) => name === 'malcolm-armitage-1')!
    expect(listing1.source).toEqual({
      paper: 'Malcolm & Armitage 2003',
      where: 'Listing 1 and Table 3',
    })
  })

  it('shows those named, and refuses others with the list of what there is', async () => {
    const { out } = await runHere(['policies', 'singh', 'barrels'])
    expect(out.match(/^\S+/gm)).toEqual(['singh', 'barrels'])
    const none = await runHere(['policies', 'weekly'])
    expect(none.code).toBe(2)
    expect(none.err).toMatch(/there is no policy "weekly"; there are: auto, fixed, /)
  })
})

describe('revisit estimators', () => {
  it('lists estimators, methods and learners with the equation each comes from', async () => {
    const { code, out } = await runHere(['estimators'])
    expect(code).toBe(0)
    expect(out).toMatch(/^irregular-mle .*\n {2}from +Grimes & Ford 2008, eq. 2$/m)
    expect(out).toMatch(
      /^mean-content-age .*\n {2}from +Malcolm & Armitage 2003, eq. 2\n {2}needs/m,
    )
    expect(out).toMatch(/^m6 .*\n {2}from +Li, Cline & Loguinov 2015, eqs 26 to 30$/m)
    expect(out).toMatch(/^weibull .*\n {2}from +Singh 2007, eqs 3 to 5$/m)
    const json = JSON.parse((await runHere(['estimators', '--json'])).out) as Record<
      string,
      Listed[]
    >
    expect(Object.keys(json)).toEqual(['estimators', 'distributions', 'trends', 'learners'])
    expect(names(json.learners!)).toEqual(names(learners))
    for (const each of Object.values(json).flat()) expect(each.source?.where).not.toBe('')
  })

  it('shows one wherever it is', async () => {
    const { out } = await runHere(['estimators', 'intuitive', '--json'])
    expect(Object.keys(JSON.parse(out))).toEqual(['estimators', 'trends', 'learners'])
  })
})

describe('the help', () => {
  it.each(['run', 'watch'])('of %s names the policies, one line each', async (command) => {
    const { out } = await runHere([command, '--help'], { columns: 200 })
    for (const { name, summary } of policyKinds)
      expect(out).toMatch(
        new RegExp(`^  ${name} +${summary.slice(0, 20).replace(/[.+()]/g, '.')}`, 'm'),
      )
    expect(out).toContain('revisit policies lists them')
  })
})

describe('revisit demo --policy', () => {
  it.each([
    [['--policy', 'nutch', '--budget', '2'], /--policy and --budget do not go together/],
    [['--policy', 'nutch', '--compare'], /--policy and --compare do not go together/],
    [['--policy', 'weekly'], /there is no policy "weekly"/],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await runHere(['demo', ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})
