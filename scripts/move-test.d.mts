/** What one store holds of a collection, by kind. */
type Sums = Readonly<Record<string, { readonly count: number; readonly sum: string }>>

/** Throws where the target is not the same as the source. */
export function killedMove(options: {
  readonly pages: number
  /** A multiple of the pages, two for each at least. */
  readonly visits: number
  readonly hosts?: number
  readonly seed?: number
  /** Of an empty database; a server is started by default. */
  readonly url?: string
  readonly print?: (line: string) => void
}): Promise<{
  readonly moved: { readonly from: Sums; readonly to: Sums; readonly same: boolean }
  readonly seconds: Readonly<Record<string, number>>
}>
