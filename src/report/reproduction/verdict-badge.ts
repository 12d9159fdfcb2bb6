import type { ClaimVerdict } from './paper.js'

const signs: Readonly<Record<ClaimVerdict, { readonly sign: string; readonly kind: string }>> = {
  holds: { sign: '✓', kind: 'holds' },
  'holds in part': { sign: '~', kind: 'in-part' },
  'does not hold': { sign: '✗', kind: 'fails' },
}

/** A verdict in colour, with a sign and its words, so that colour alone tells nothing. */
export function verdictBadge(verdict: ClaimVerdict): string {
  const { sign, kind } = signs[verdict]
  return `<span class="verdict ${kind}"><span aria-hidden="true">${sign}</span> ${verdict}</span>`
}
