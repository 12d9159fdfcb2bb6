import type { Reproduction } from './reproduction.js'

/** A run as one line of JSON: every claim with its finding, and the tables; figures by name. */
export function reproductionJson({ settings, papers, histories }: Reproduction): string {
  const found = papers.map(({ name, published, claims, tables, figures }) => ({
    name,
    title: published.title,
    authors: published.authors,
    year: published.year,
    claims: claims.judged.map(({ claim, finding, asRecorded }) => ({
      ...claim,
      ours: finding.ours,
      verdict: finding.verdict,
      why: finding.why,
      asRecorded,
    })),
    leftOut: claims.leftOut.map(({ id }) => id),
    tables,
    figures: figures.map(({ file, title, caption }) => ({ file, title, caption })),
  }))
  const { quick, seed } = settings
  return `${JSON.stringify({ quick, seed, histories: histories?.changes.length ?? null, papers: found })}\n`
}
