export interface NoisyPage {
  readonly name: string
  /** Changes truly at every fetch. */
  readonly fast: boolean
  /** Counts true changes. */
  version(): number | string
  /** Ends a visit: the next may find other texts in turn. */
  visit?(): void
  /** Some of its texts take turns from visit to visit. */
  readonly rotating?: boolean
  change(): void
  render(): string
}

export function noisyPages(random: () => number): NoisyPage[]
