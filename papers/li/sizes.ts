/** How much is run: time units watched, and independent paths. */
export interface Sizes {
  /** For curves against closed forms. */
  readonly curve: { readonly paths: number; readonly until: number }
  /** Visits of one path for each share in Figure 4. */
  readonly shareVisits: number
  /** Figure 8: one path at 100 visits a time unit. */
  readonly derivative: { readonly until: number }
  /** Figure 9a: so many of the paths are followed so far. */
  readonly meanError: readonly { readonly until: number; readonly paths: number }[]
  /** Figure 9b. */
  readonly spacingError: {
    readonly paths: number
    readonly until: number
    readonly meanGaps: readonly number[]
  }
  readonly tableOne: readonly { readonly until: number; readonly paths: number }[]
  /** M6 at growing windows. */
  readonly pairs: readonly { readonly until: number; readonly paths: number }[]
}

/** Paths as many as the paper's (1,000), save 100 for the longest of Figure 9a. */
export const full: Sizes = {
  curve: { paths: 40, until: 100_000 },
  shareVisits: 50_000,
  derivative: { until: 100_000 },
  meanError: [
    { until: 1e2, paths: 1000 },
    { until: 1e3, paths: 1000 },
    { until: 1e4, paths: 1000 },
    { until: 1e5, paths: 1000 },
    { until: 1e6, paths: 1000 },
    { until: 1e7, paths: 100 },
  ],
  spacingError: {
    paths: 1000,
    until: 10_000,
    meanGaps: [100, 30, 10, 3, 1, 0.3, 0.1, 0.03],
  },
  tableOne: [
    { until: 1e2, paths: 20_000 },
    { until: 1e3, paths: 4000 },
    { until: 1e4, paths: 2000 },
    { until: 1e5, paths: 500 },
    { until: 1e6, paths: 120 },
  ],
  pairs: [
    { until: 1e3, paths: 100 },
    { until: 1e4, paths: 60 },
    { until: 1e5, paths: 30 },
    { until: 1e6, paths: 10 },
  ],
}

export const quick: Sizes = {
  curve: { paths: 40, until: 8000 },
  shareVisits: 4000,
  derivative: { until: 10_000 },
  meanError: [
    { until: 1e2, paths: 400 },
    { until: 1e3, paths: 400 },
    { until: 1e4, paths: 200 },
    { until: 1e5, paths: 50 },
    { until: 1e6, paths: 8 },
  ],
  spacingError: { paths: 60, until: 10_000, meanGaps: [100, 30, 10, 3, 1, 0.3, 0.1] },
  tableOne: [
    { until: 1e2, paths: 3000 },
    { until: 1e3, paths: 600 },
    { until: 1e4, paths: 200 },
    { until: 1e5, paths: 50 },
  ],
  pairs: [
    { until: 1e3, paths: 40 },
    { until: 1e4, paths: 20 },
    { until: 1e5, paths: 8 },
  ],
}
