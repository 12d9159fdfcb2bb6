import {
  hearings,
  hintCosts,
  hintReliabilities,
  siteStudy,
  siteStudyAt,
} from '../dist/lab/index.js'
import {
  fixed,
  grimesFord,
  malcolmArmitage,
  nutch,
  singh,
  stormCrawler,
} from '../dist/policies/index.js'

/**
 * Publishers' hints, honest, lying, missing and stuck: the reliability learned
 * after 20 visits, and what policies cost and bring with all six kinds of hints
 * beside the same policies without. Simulated by the planner's own steps; takes
 * seconds.
 */

export const name = "publishers' hints: their reliability, and what following them costs"

const options = { pages: 24, seed: 1 }
const policies = [
  fixed({ gap: 86_400 }),
  malcolmArmitage(),
  grimesFord(),
  singh(),
  nutch,
  stormCrawler,
]

export async function run({ print }) {
  print('24 pages (change period 6 hours to 40 days), 20 visits each\n')
  print('hint           publisher  reliability  predicted  right  trusted on')
  for (const row of hintReliabilities({ ...options, visits: 20 }))
    print(
      `${row.kind.padEnd(14)} ${row.publisher.padEnd(10)} ${row.reliability.toFixed(2).padStart(11)} ${row.predicted.toFixed(1).padStart(9)} ${row.right.toFixed(1).padStart(6)} ${`${Math.round(100 * row.trusted)}%`.padStart(9)}`,
    )
  print('\n180 days, all six kinds by the same publisher, with-hints(policy) beside the policy\n')
  print('policy             publisher    visits  with hints   change  fresh  with hints')
  for (const { policy, publisher, visits, freshness } of hintCosts({ ...options, policies })) {
    const change = 100 * (visits.hinted / visits.bare - 1)
    const signed = `${change >= 0 ? '+' : ''}${change.toFixed(1)}%`
    print(
      `${policy.padEnd(18)} ${publisher.padEnd(10)} ${String(visits.bare).padStart(8)} ${String(visits.hinted).padStart(11)} ${signed.padStart(8)} ${share(freshness.bare)} ${share(freshness.hinted).padStart(11)}`,
    )
  }
  print('\nthe default on 5 sites of 30 pages, 150 days: visits and freshness as it follows hints;')
  print('none: not at all; moved: with-hints(auto); evidence: as it is\n')
  print('price   publisher  hearing     visits   change  fresh   at the same visits')
  for (const price of [21_600, 172_800])
    for (const publisher of ['honest', 'lying', 'stuck', 'missing'])
      printSites(print, { price, publisher })
}

const seeds = [1, 2, 3, 4, 5]

function printSites(print, about) {
  const bare = seeds.map((seed) => siteStudy({ ...about, hintUse: 'none', seed }))
  const visits = sum(bare, 'visits')
  for (const hintUse of hearings) {
    const made = seeds.map((seed) => siteStudy({ ...about, hintUse, seed }))
    const change = 100 * (sum(made, 'visits') / visits - 1)
    const equal =
      about.publisher === 'honest' && hintUse !== 'none'
        ? share(mean(seeds.map((seed, i) => siteStudyAt({ ...about, hintUse, seed }, bare[i]))))
        : ''
    print(
      `${`${about.price / 3600} h`.padEnd(7)} ${about.publisher.padEnd(10)} ${hintUse.padEnd(9)} ${String(sum(made, 'visits')).padStart(8)} ${`${change.toFixed(1)}%`.padStart(8)} ${share(mean(made))} ${equal.padStart(12)}`,
    )
  }
}

function sum(results, field) {
  return results.reduce((total, each) => total + each[field], 0)
}

function mean(results) {
  return sum(results, 'freshness') / results.length
}

function share(value) {
  return `${(100 * value).toFixed(1)}%`.padStart(6)
}
