import { type History, OptionError } from '../../model/index.js'
import {
  gridFor,
  type LearnedPrior,
  type LearnOptions,
  learned,
  logLikelihoodUnder,
} from './learn-prior.js'
import { type LikelihoodTable, likelihoodTable, someRows } from './likelihood-table.js'
import { fitMixture } from './mixture-em.js'

export interface GroupPage {
  /** Pages thought to change alike: a host, a kind. */
  readonly group: string
  readonly history: History
}

export interface GroupOptions extends LearnOptions {
  /** How many pages' worth the whole counts in each group; chosen by cross-validation unless said. */
  readonly strength?: number
  /** The strengths to choose from; 1 to 1000 in half decades unless said. */
  readonly strengths?: readonly number[]
}

export interface StrengthScore {
  readonly strength: number
  /** Log-likelihood of held-out pages under priors learned without them. */
  readonly score: number
}

export interface GroupPriors {
  readonly whole: LearnedPrior
  readonly groups: ReadonlyMap<string, LearnedPrior>
  /** Pages' worth of the whole that each group's law holds. */
  readonly strength: number
  /** How each strength did; empty where one was given or there is nothing to choose by. */
  readonly scores: readonly StrengthScore[]
}

const usualStrengths = [1, 3, 10, 30, 100, 300, 1000]
const folds = 5

/**
 * A law of change periods for each group, drawn to the law of the whole: EM
 * with the whole's masses, times a strength, as pseudo-counts. A group of few
 * pages ends near the whole, a large one near its own law.
 *
 * The strength is the one under which held-out pages are likeliest (five
 * folds, pages dealt in turn within each group; the whole is learned without
 * them too). It costs five times as many fits as there are strengths; give a
 * strength to save them. Grimes & Ford 6 ask for such priors.
 */
export function learnGroupPriors(
  pages: Iterable<GroupPage>,
  options: GroupOptions = {},
): GroupPriors {
  const all = [...pages]
  const histories = all.map((each) => each.history)
  const table = likelihoodTable(histories, options.grid ?? gridFor(histories))
  const rowsOf = rowsByGroup(all, table)
  const whole = learned(table, fitMixture(table, options))
  const scores = options.strength === undefined ? scored(table, { rowsOf, options }) : []
  const strength = checkStrength(options.strength ?? likeliest(scores))
  const groups = new Map<string, LearnedPrior>()
  for (const [group, rows] of rowsOf) {
    const part = someRows(table, rows)
    groups.set(group, shrunk(part, { whole: whole.prior.masses, strength, options }))
  }
  return { whole, groups, strength, scores }
}

/** The rows of each group; a group whose pages tell nothing is kept, with none. */
function rowsByGroup(pages: readonly GroupPage[], table: LikelihoodTable): Map<string, number[]> {
  const rowsOf = new Map<string, number[]>()
  pages.forEach(({ group }, page) => {
    const rows = rowsOf.get(group) ?? []
    rowsOf.set(group, rows)
    const row = table.rowOf[page]!
    if (row >= 0) rows.push(row)
  })
  return rowsOf
}

function shrunk(
  part: LikelihoodTable,
  { whole, strength, options }: { whole: Float64Array; strength: number; options: LearnOptions },
): LearnedPrior {
  const pseudoCounts = whole.map((mass) => mass * strength)
  return learned(part, fitMixture(part, { ...options, pseudoCounts, start: opened(whole) }))
}

/** Starts with a little everywhere: a group may live where the whole has nothing. */
function opened(whole: Float64Array): Float64Array {
  return whole.map((mass) => 0.9 * mass + 0.1 / whole.length)
}

function scored(
  table: LikelihoodTable,
  { rowsOf, options }: { rowsOf: Map<string, number[]>; options: GroupOptions },
): StrengthScore[] {
  const strengths = (options.strengths ?? usualStrengths).map(checkStrength)
  const totals = strengths.map(() => 0)
  if (table.rows < 2 || rowsOf.size < 2) return []
  const deal = dealt(rowsOf, table.rows)
  for (let fold = 0; fold < folds; fold++) {
    const kept = (row: number) => deal[row] !== fold
    const seen = someRows(table, Array.from(deal.keys()).filter(kept))
    const whole = fitMixture(seen, options).masses
    for (const rows of rowsOf.values()) {
      const held = someRows(
        table,
        rows.filter((row) => !kept(row)),
      )
      if (held.rows === 0) continue
      const rest = someRows(table, rows.filter(kept))
      strengths.forEach((strength, i) => {
        const { prior } = shrunk(rest, { whole, strength, options })
        totals[i]! += logLikelihoodUnder(held, prior.masses)
      })
    }
  }
  return strengths.map((strength, i) => ({ strength, score: totals[i]! }))
}

/** The fold of each row, dealt in turn within its group; groups start at different folds. */
function dealt(rowsOf: Map<string, number[]>, rows: number): Int32Array {
  const deal = new Int32Array(rows)
  let turn = 0
  for (const each of rowsOf.values()) for (const row of each) deal[row] = turn++ % folds
  return deal
}

/** With nothing to choose by, ten pages' worth. */
function likeliest(scores: readonly StrengthScore[]): number {
  if (scores.length === 0) return 10
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).strength
}

function checkStrength(strength: number): number {
  if (strength > 0 && strength < Infinity) return strength
  throw new OptionError('bad-strength', `a strength is a positive number of pages; got ${strength}`)
}
