import { OptionError } from '../../model/index.js'
import { type PageScores, visitsUsed } from './rule.js'

interface Trial {
  /** Base-2 logarithm of the stretch. */
  readonly at: number
  readonly scores: PageScores
  /** Base-2 logarithm of visits used over visits allowed. */
  readonly excess: number
}

/** Spending may stay this share below what is allowed. */
const near = 0.0005
/** Some rules answer to the smallest stretch with visits that jump by some percent; no use in going nearer. */
const narrow = 1e-3

/**
 * The stretch at which a rule that knows no budget uses just the visits
 * allowed: one multiplier for all pages, found in hindsight, so the rule's
 * best case. Visits fall about as 1 / stretch, so the search interpolates in
 * logarithms, every third round it halves; some eight runs. Never over budget.
 * Null where no stretch makes the difference: a history so short that the budget
 * is less than a visit, or a rule that never spends it.
 */
export function stretchForBudget(
  run: (stretch: number) => PageScores,
  { allowed }: { allowed: number },
): { stretch: number | null; scores: PageScores } {
  if (!(allowed > 0))
    throw new OptionError(
      'bad-budget',
      'a budget must be a positive number of visits a page and day',
    )
  const tried = (at: number): Trial => {
    const scores = run(2 ** at)
    return { at, scores, excess: Math.log2(Math.max(0.5, visitsUsed(scores)) / allowed) }
  }
  let { over, under } = bracket(tried)
  if (over.excess <= 0) return { stretch: null, scores: over.scores }
  if (under.excess > 0) return { stretch: null, scores: under.scores }
  let best = under
  for (let round = 0; round < 24 && best.excess < -near && under.at - over.at > narrow; round++) {
    const straight = over.excess / (over.excess - under.excess)
    const share = round % 3 === 2 ? 0.5 : Math.min(0.95, Math.max(0.05, straight))
    const middle = tried(over.at + share * (under.at - over.at))
    if (middle.excess > 0) over = middle
    else under = middle
    if (under.excess > best.excess) best = under
  }
  return { stretch: 2 ** best.at, scores: best.scores }
}

/** Two trials with the budget between them, from stretch 1 outwards. */
function bracket(tried: (at: number) => Trial): { over: Trial; under: Trial } {
  let over = tried(0)
  let under = over
  for (let step = 0.2; over.excess <= 0 && over.at > -30; step *= 2) {
    under = over
    over = tried(over.at + 1.1 * over.excess - step)
  }
  for (let step = 0.2; under.excess > 0 && under.at < 30; step *= 2) {
    over = under
    under = tried(under.at + 1.1 * under.excess + step)
  }
  return { over, under }
}
