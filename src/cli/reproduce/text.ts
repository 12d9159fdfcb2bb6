import { type JudgedClaim, type ReproducedPaper, verdictCounts } from '../../report/index.js'
import type { TextOutput } from '../world.js'
import type { Reproduction } from './reproduction.js'

/** Every claim with published, ours, verdict and record, then a closing count. */
export function writeReproduction(out: TextOutput, { papers, histories }: Reproduction): void {
  for (const paper of papers) writePaper(out, paper)
  const leftOut = papers.reduce((sum, { claims }) => sum + claims.leftOut.length, 0)
  out.write(`${countLine(papers)}\n`)
  if (histories === null)
    out.write(
      `The real change histories are absent: ${leftOut} ${leftOut === 1 ? 'claim' : 'claims'} and the rows that need them are left out; name them with --histories and --objects.\n`,
    )
}

function writePaper(out: TextOutput, { name, published, claims }: ReproducedPaper): void {
  out.write(`${name}: ${published.title} (${published.authors}, ${published.year})\n\n`)
  for (const each of claims.judged) writeClaim(out, each)
  for (const { says } of claims.leftOut) out.write(`  left out: ${says}\n\n`)
}

function writeClaim(out: TextOutput, { claim, finding, asRecorded }: JudgedClaim): void {
  const record = asRecorded ? 'as recorded' : `RECORDED: ${claim.recorded}`
  out.write(`  ${claim.id} (${claim.where}): ${claim.says}\n`)
  out.write(`    published  ${claim.published === '' ? '-' : claim.published}\n`)
  out.write(`    ours       ${finding.ours}\n`)
  out.write(`    verdict    ${finding.verdict}, ${record}\n\n`)
}

function countLine(papers: readonly ReproducedPaper[]): string {
  const judged = papers.flatMap(({ claims }) => claims.judged)
  const counts = verdictCounts(judged)
  const differing = papers.flatMap(({ name, claims }) =>
    claims.judged.filter((each) => !each.asRecorded).map(({ claim }) => `${name}/${claim.id}`),
  )
  const verdicts = `${counts.holds} hold, ${counts['holds in part']} hold in part, ${counts['does not hold']} do not hold`
  const record =
    differing.length === 0
      ? 'all as recorded'
      : `${differing.length} not as recorded: ${differing.join(', ')}`
  return `${judged.length} claims: ${verdicts}; ${record}.`
}
