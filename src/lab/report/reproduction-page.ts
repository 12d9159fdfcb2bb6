import { escaped } from '../../formats/printable-text.js'
import { embedded } from '../figures/palette.js'
import { htmlDocument, htmlTable } from './html-document.js'
import {
  type ClaimVerdict,
  claimsAndQuestions,
  claimVerdicts,
  type JudgedClaim,
  type JudgedClaims,
  type PaperFigure,
  type PaperTable,
  type Published,
  verdictCounts,
} from './paper.js'

const kinds: Readonly<Record<ClaimVerdict, string>> = {
  holds: 'holds',
  'holds in part': 'in-part',
  'does not hold': 'fails',
}

/** A verdict in colour and in words, so that colour alone tells nothing. */
function verdictBadge(verdict: ClaimVerdict): string {
  return `<span class="verdict ${kinds[verdict]}">${verdict}</span>`
}

/** One paper after its run. */
export interface ReproducedPaper {
  /** Folder name. */
  readonly name: string
  readonly published: Published
  readonly claims: JudgedClaims
  readonly tables: readonly PaperTable[]
  readonly figures: readonly PaperFigure[]
}

/** The anchor of a claim in the report. */
function claimId({ name, claim }: { readonly name: string; readonly claim: string }) {
  return escaped(`${name}-${claim}`)
}

/** A paper's part of the report: its claims with their verdicts, its figures, its tables. */
function reproducedPaper(paper: ReproducedPaper): string {
  const { name, published, claims } = paper
  const { claims: own, questions } = claimsAndQuestions(claims.judged)
  const list = (some: readonly JudgedClaim[]) =>
    `<ol class="claims">${some.map((each) => claimItem(each, name)).join('')}</ol>`
  return [
    `<section id="${escaped(name)}">`,
    `<h2>${escaped(published.title)}</h2>`,
    `<p class="muted">${escaped(`${published.authors}, ${published.year}`)}</p>`,
    list(own),
    ...(questions.length === 0
      ? []
      : ['<h3>Questions of our own, which the paper leaves open</h3>', list(questions)]),
    leftOut(claims),
    ...paper.figures.map(figure),
    ...paper.tables.map(table),
    '</section>',
  ].join('\n')
}

function claimItem({ claim, finding, asRecorded }: JudgedClaim, name: string): string {
  const recorded = asRecorded ? '' : ` <strong>recorded: ${escaped(claim.recorded)}</strong>`
  const published = claim.published === '' ? 'no number' : claim.published
  return [
    `<li id="${claimId({ name, claim: claim.id })}">`,
    `<p>${verdictBadge(finding.verdict)}${recorded} ${escaped(claim.says)} <span class="muted">${escaped(claim.where)}</span></p>`,
    `<dl><dt>published</dt><dd>${escaped(published)}</dd><dt>ours</dt><dd>${escaped(finding.ours)}</dd></dl>`,
    `<p class="muted">${escaped(finding.why)}</p></li>`,
  ].join('')
}

function leftOut({ leftOut }: JudgedClaims): string {
  if (leftOut.length === 0) return ''
  const items = leftOut.map((claim) => `<li>${escaped(claim.says)}</li>`).join('')
  return `<p class="muted">Left out, for want of the real histories:</p><ul class="notes">${items}</ul>`
}

function figure({ svg, narrowSvg, caption }: PaperFigure): string {
  const plotted =
    narrowSvg === undefined
      ? `<div class="scrolled">${embedded(svg)}</div>`
      : `<div class="wide">${embedded(svg)}</div><div class="narrow">${embedded(narrowSvg)}</div>`
  return `<figure>${plotted}<figcaption>${escaped(caption)}</figcaption></figure>`
}

/** Columns that hold numbers only are lined up at the right. */
function table({ title, caption, columns, rows }: PaperTable): string {
  const numeric = columns.map((_, i) => i > 0 && rows.every((row) => isNumber(row[i])))
  const note = caption === undefined ? '' : `<p class="muted">${escaped(caption)}</p>`
  const plotted = htmlTable({
    caption: title,
    columns: columns.map((name, i) => ({ title: name, align: numeric[i] ? 'right' : 'left' })),
    rows,
  })
  return `${plotted}${note}`
}

function isNumber(cell: string | number | undefined): boolean {
  return typeof cell === 'number' || /^[-+]?[\d.,]+(e[-+]?\d+)?%?$|^[-–]?$/.test(cell ?? '')
}

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
    const { claims: own, questions } = claimsAndQuestions(claims.judged)
    const found = verdictCounts(own)
    return [
      `${published.authors} ${published.year} (${name})`,
      own.length,
      ...claimVerdicts.map((verdict) => found[verdict]),
      questions.length,
      claims.judged.filter((each) => !each.asRecorded).length,
      claims.leftOut.length,
    ]
  })
  const numbers = ['claims', ...claimVerdicts, 'our questions', 'not as recorded', 'left out']
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
