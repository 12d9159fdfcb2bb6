import { htmlTable } from '../figures/html-table.js'
import { escaped } from '../frame/shown-text.js'
import { htmlDocument } from '../page/html-document.js'
import { claimVerdicts, verdictCounts } from './judged-claims.js'
import { claimId, type ReproducedPaper, reproducedPaper } from './reproduced-paper.js'
import { verdictBadge } from './verdict-badge.js'

export interface ReproductionPage {
  readonly title: string
  /** What was run, in a sentence or two. */
  readonly intro: string
  readonly papers: readonly ReproducedPaper[]
  /** Who made it, when, how. */
  readonly foot?: string
}

/** Papers run again, as one self-contained HTML file: an index of verdicts, then each paper. */
export function reproductionPage({ title, intro, papers, foot }: ReproductionPage): string {
  const body = [
    `<header><h1>${escaped(title)}</h1><p>${escaped(intro)}</p></header>`,
    '<main>',
    counts(papers),
    allVerdicts(papers),
    ...papers.map(reproducedPaper),
    '</main>',
    foot === undefined ? '' : `<footer>${escaped(foot)}</footer>`,
  ]
  return htmlDocument({ title, body: body.join('\n') })
}

function counts(papers: readonly ReproducedPaper[]): string {
  const rows = papers.map(({ name, published, claims }) => {
    const found = verdictCounts(claims.judged)
    return [
      `${published.authors} ${published.year} (${name})`,
      claims.judged.length,
      ...claimVerdicts.map((verdict) => found[verdict]),
      claims.judged.filter((each) => !each.asRecorded).length,
      claims.leftOut.length,
    ]
  })
  const numbers = ['claims', ...claimVerdicts, 'not as recorded', 'left out']
  return htmlTable({
    caption: 'Verdicts',
    columns: [
      { title: 'paper' },
      ...numbers.map((name) => ({ title: name, align: 'right' as const })),
    ],
    rows,
  })
}

function allVerdicts(papers: readonly ReproducedPaper[]): string {
  const total = papers.reduce((sum, { claims }) => sum + claims.judged.length, 0)
  const lists = papers.map(({ name, published, claims }) => {
    const items = claims.judged.map(({ claim, finding }) => {
      const link = `<a href="#${claimId({ name, claim: claim.id })}">${escaped(claim.says)}</a>`
      return `<li>${verdictBadge(finding.verdict)} ${link}</li>`
    })
    const paper = `<a href="#${escaped(name)}">${escaped(published.title)}</a>`
    return `<h3>${paper}</h3><ul class="verdicts">${items.join('')}</ul>`
  })
  return `<details><summary>All ${total} verdicts</summary>${lists.join('')}</details>`
}
