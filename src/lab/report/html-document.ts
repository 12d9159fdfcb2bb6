import { escaped } from '../../formats/printable-text.js'
import { paletteCss } from '../figures/palette.js'

/** From this width on the wide figures are shown, below it the narrow ones. */
const wideFrom = 800
export const figureWidths = { wide: 760, narrow: 350 } as const

/** The whole style of a report page. */
const pageStyle: string = `${paletteCss(':root')}
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:${figureWidths.wide + 40}px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.15rem;line-height:1.35;margin:0 0 .5rem}
section{border-top:1px solid var(--rule);margin-top:2.2rem;padding-top:1.4rem}
.summary{font-size:1.1rem;margin:0 0 .75rem}
.notes{color:var(--muted);margin:.25rem 0 0;padding-left:1.2rem}
.muted,footer{color:var(--muted)}
footer{font-size:.875rem;padding-top:1.5rem;padding-bottom:2.5rem}
figure{margin:1.6rem 0 0}
figcaption{color:var(--muted);font-size:.875rem}
.revisit-figure{display:block;max-width:100%;height:auto;font:12px system-ui,sans-serif;color:var(--ink)}
.revisit-figure text{white-space:pre}
.wide{display:none}
@media (min-width:${wideFrom}px){.wide{display:block}.narrow{display:none}}
.table{overflow-x:auto;margin:1.2rem 0 0}
table{border-collapse:collapse;font-size:.875rem;width:100%}
caption{text-align:left;font-weight:600;padding:0 0 .4rem;font-size:.95rem}
th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--rule);vertical-align:top;font-weight:400}
thead th{color:var(--muted);border-bottom-color:var(--muted);vertical-align:bottom}
td,thead th{overflow-wrap:break-word}
th[scope=row]{min-width:9rem}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
a{color:var(--c1)}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
details{margin:1.2rem 0 0}
.claims{margin:1rem 0 0;padding-left:1.6rem}
.claims li{margin:0 0 1rem}
.claims p{margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 .9rem;margin:.15rem 0;font-size:.875rem}
dt{color:var(--muted)}
dd{margin:0}
.verdicts{list-style:none;margin:0;padding:0;font-size:.875rem}
.verdict{font-weight:600;white-space:nowrap;margin-right:.35rem}
.holds{color:var(--c3)}
.in-part{color:var(--c5)}
.fails{color:var(--c2)}
.scrolled{overflow-x:auto}
.scrolled .revisit-figure{max-width:none}
@media print{section{break-inside:avoid-page}}`

/**
 * One HTML file that needs nothing else: its style is inside, it has no script,
 * and its policy forbids the browser to ask anybody for anything.
 */
export function htmlDocument({
  title,
  body,
}: {
  readonly title: string
  readonly body: string
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${body}
</body>
</html>
`
}

export type Cell = string | number | null

export interface HtmlTable {
  readonly caption?: string
  readonly columns: ReadonlyArray<{ readonly title: string; readonly align?: 'left' | 'right' }>
  readonly rows: ReadonlyArray<readonly Cell[]>
}

/** A table as HTML, its first column as the head of each row. Every text is escaped. */
export function htmlTable({ caption, columns, rows }: HtmlTable): string {
  const align = (i: number) => (columns[i]?.align === 'right' ? ' class="number"' : '')
  const head = columns.map(({ title }, i) => `<th scope="col"${align(i)}>${escaped(title)}</th>`)
  const body = rows.map((cells) => {
    const written = cells.map((cell, i) =>
      i === 0
        ? `<th scope="row"${align(i)}>${cellText(cell)}</th>`
        : `<td${align(i)}>${cellText(cell)}</td>`,
    )
    return `<tr>${written.join('')}</tr>`
  })
  const title = caption === undefined ? '' : `<caption>${escaped(caption)}</caption>`
  return `<div class="table"><table>${title}<thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function cellText(cell: Cell): string {
  return cell === null ? '–' : escaped(typeof cell === 'number' ? String(cell) : cell)
}
