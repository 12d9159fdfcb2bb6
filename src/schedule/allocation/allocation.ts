/**
 * What is known of many pages, a column each. Any unit of time will do, the
 * same for change rates, visit rates, budget and periods.
 */
export interface PageColumns {
  readonly changeRates: Float64Array
  /** Importance of a page's freshness; 1 each if absent. */
  readonly weights?: Float64Array | undefined
  /** Price of one request to a page, in the budget's coin; 1 each if absent. */
  readonly costs?: Float64Array | undefined
}

/**
 * Either what may be spent (the sum of cost times visit rate), or the going
 * price: how much weighted freshness a unit of budget must buy to be spent.
 */
export type Means =
  | { readonly budget: number; readonly price?: undefined }
  | { readonly price: number; readonly budget?: undefined }

export interface AllocateOptions {
  /** Where to write the visit rates; a new array if absent. Not one of the input columns. */
  readonly into?: Float64Array | undefined
}

/** How the visits to one page are spread in time: evenly spaced, or at random moments. */
export type VisitLaw = 'even' | 'poisson'

/** What each page is allotted. */
export interface Allotment {
  readonly visitRates: Float64Array
  /**
   * What one more unit of budget would add to the method's objective: the
   * price of a request. 0 if nothing is left to buy, null if no finite price
   * gives this budget (harmonic, budget 0).
   */
  readonly multiplier: number | null
  /**
   * Predicted share of time that a copy is fresh, weighted, for Poisson
   * changes and the visits the method assumes. 1 where no page has weight.
   */
  readonly freshness: number
  /** Sum of cost times visit rate. Below the budget only where more buys nothing. */
  readonly spent: number
}

/** A way to share visits among pages: pure, and without an allocation per page. */
export interface Allocation {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  /** The visits that its objective and its predicted freshness assume. */
  readonly visits: VisitLaw
  allocate(pages: PageColumns, means: Means, options?: AllocateOptions): Allotment
}
