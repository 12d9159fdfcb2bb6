import { type Hint, humanDuration } from '../model/index.js'

const sources: Readonly<Record<Hint['kind'], string>> = {
  meta: 'its Change-Frequency tag',
  sitemap: 'its sitemap',
  changefreq: "its sitemap's changefreq",
  feed: 'its feed',
  'last-modified': 'its Last-Modified',
  cache: 'its cache lifetime',
}

/** A hint as a person says it: `its sitemap says when it changes`. */
export function hintWords({ kind, claim }: Hint): string {
  return `${sources[kind]} says ${claimWords(claim)}`
}

function claimWords(claim: Hint['claim']): string {
  if (claim.says === 'changed-at') return 'when it changes'
  if (claim.says === 'fresh-for') return `it stays for ${humanDuration(claim.duration)}`
  const { declared } = claim
  if (declared.kind === 'static') return 'it does not change'
  if (declared.period === null) return 'it has no steady pace'
  return declared.kind === 'periodic'
    ? `it changes every ${humanDuration(Math.max(1, declared.period))}`
    : `it changes next in ${humanDuration(declared.period)}`
}
