import { htmlTable } from '../figures/html-table.js'
import { embedded } from '../frame/figure-style.js'
import { escaped } from '../frame/shown-text.js'
import type { JudgedClaim, JudgedClaims } from './judged-claims.js'
import type { PaperFigure, PaperTable, Published } from './paper.js'
import { verdictBadge } from './verdict-badge.js'

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
export function claimId({ name, claim }: { readonly name: string; readonly claim: string }) {
  return escaped(`${name}-${claim}`)
}

/** A paper's part of the report: its claims with their verdicts, its figures, its tables. */
export function reproducedPaper(paper: ReproducedPaper): string {
  const { name, published, claims } = paper
  const items = claims.judged.map((each) => claimItem(each, name))
  return [
    `<section id="${escaped(name)}">`,
    `<h2>${escaped(published.title)}</h2>`,
    `<p class="muted">${escaped(`${published.authors}, ${published.year}`)}</p>`,
    `<ol class="claims">${items.join('')}</ol>`,
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
  const drawn =
    narrowSvg === undefined
      ? `<div class="scrolled">${embedded(svg)}</div>`
      : `<div class="wide">${embedded(svg)}</div><div class="narrow">${embedded(narrowSvg)}</div>`
  return `<figure>${drawn}<figcaption>${escaped(caption)}</figcaption></figure>`
}

/** Columns that hold numbers only are lined up at the right. */
function table({ title, caption, columns, rows }: PaperTable): string {
  const numeric = columns.map((_, i) => i > 0 && rows.every((row) => isNumber(row[i])))
  const note = caption === undefined ? '' : `<p class="muted">${escaped(caption)}</p>`
  const drawn = htmlTable({
    caption: title,
    columns: columns.map((name, i) => ({ title: name, align: numeric[i] ? 'right' : 'left' })),
    rows,
  })
  return `${drawn}${note}`
}

function isNumber(cell: string | number | undefined): boolean {
  return typeof cell === 'number' || /^[-+]?[\d.,]+(e[-+]?\d+)?%?$|^[-–]?$/.test(cell ?? '')
}
