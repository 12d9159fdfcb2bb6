import type { ClaimVerdict } from './paper.js'

const kinds: Readonly<Record<ClaimVerdict, string>> = {
  holds: 'holds',
  'holds in part': 'in-part',
  'does not hold': 'fails',
}

/** A verdict in colour and in words, so that colour alone tells nothing. */
export function verdictBadge(verdict: ClaimVerdict): string {
  return `<span class="verdict ${kinds[verdict]}">${verdict}</span>`
}
