/** A page we follow: identity only, no content. */
export interface Page {
  readonly id: string
  readonly url: string
  /** Pages thought to change alike, such as one host or one kind; priors are learned by group. */
  readonly group?: string
  /** How much a fresh copy of this page is worth beside the others; 1 unless said. */
  readonly importance?: number
}
