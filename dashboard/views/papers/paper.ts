/** What the build keeps of each paper. */
export interface PaperSummary {
  readonly name: string
  readonly title: string
  readonly authors: string
  readonly year: number
  readonly says: string
  readonly found: readonly string[]
  readonly figures: readonly { file: string; title: string; caption: string }[]
  readonly claims: readonly PaperClaim[]
}

export interface PaperClaim {
  readonly says: string
  readonly where: string
  readonly published: string
  readonly verdict: 'holds' | 'holds in part' | 'does not hold'
  readonly ours?: string
  readonly why?: string
}
