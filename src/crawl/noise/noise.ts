import type { Json } from '../../model/index.js'

/** What makes a token look made by a machine for one answer only. */
export type TokenForm = 'time' | 'id' | 'elapsed'

/**
 * A place of a page that is left out of its comparison, found again by what
 * stands around it. `run` is any stretch of words between two fixed ones, such
 * as a rotating advertisement; `link` an address by its fixed parts; the others
 * are one token of that form.
 */
export type Mask = (
  | { readonly kind: TokenForm }
  | { readonly kind: 'run'; readonly longest: number }
  | { readonly kind: 'link'; readonly shape: string }
) & {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** What stood there when it was found, for a person. */
  readonly example: string
}

/** What is known of a page's noise; kept with the page. */
export interface Noise {
  readonly masks: readonly Mask[]
  /** Changes in a row that a repeat confirmed; see `CloserLook`. */
  readonly confirmed: number
  /** Digests of what stood in places that vary and are not masked, by place. */
  readonly varied: Readonly<Record<string, readonly string[]>>
}

export const noNoise: Noise = Object.freeze({ masks: [], confirmed: 0, varied: {} })

/** What a page's record holds; nothing where it holds nothing we wrote. */
export function noiseOf(kept: Json | undefined): Noise {
  if (kept === null || kept === undefined || typeof kept !== 'object') return noNoise
  const { masks, confirmed, varied } = kept as unknown as Partial<Noise>
  if (!Array.isArray(masks)) return noNoise
  return { masks, confirmed: confirmed ?? 0, varied: varied ?? {} }
}
