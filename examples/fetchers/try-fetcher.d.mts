export interface TriedVisit {
  readonly at: number
  readonly duration: number
  readonly outcome: string
  readonly page: { readonly id: string; readonly url: string }
}

export function tryFetcher(options?: {
  readonly command?: readonly string[]
  readonly visits?: number
  readonly pages?: number
  readonly leaseTime?: number
  readonly killOne?: boolean
  readonly print?: (text: string) => void
}): Promise<{
  readonly code: number
  readonly visits: number
  readonly pages: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly unvisited: readonly string[]
  readonly log: readonly TriedVisit[]
}>
