export interface NoisyPage {
  readonly name: string
  /** Changes truly at every fetch. */
  readonly fast: boolean
  /** Counts true changes. */
  version(): number
  change(): void
  render(): string
}

export function noisyPages(random: () => number): NoisyPage[]
