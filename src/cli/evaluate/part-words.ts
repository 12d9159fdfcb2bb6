import type { EvaluatedPart } from './run.js'

/** What a part holds, in words. */
export function partWords({ pages, size }: EvaluatedPart): string {
  const which = pages === 'all' ? 'All pages' : 'Pages with exact change times'
  const same = pages === 'all' ? '' : '; of the same runs, so budgets and factors are those of all'
  return `${which}: ${size.pages} of ${size.sources} source${size.sources === 1 ? '' : 's'}, with ${size.changes} changes${same}`
}

export function budgetWords(perDay: number): string {
  if (perDay === 1) return '1 visit a page and day'
  return `${perDay} visits a page and day`
}
