import type { Json } from '../../model/units.js'
import { type RotatingSlot, withoutRotating } from './rotating-lines.js'
import {
  couldBeMachineMade,
  endsAt,
  hasShape,
  namedTokens,
  startsAt,
  type TokenForm,
  varying,
} from './tokens.js'
import type { Slot } from './varying-slots.js'

/**
 * A place of a page that is left out of its comparison, found again by what
 * stands around it. `run` is any stretch of words between two fixed ones, such
 * as an advertisement that differs from one request to the next; `link` an
 * address by its fixed parts; `rotating` lines that are one of several texts seen
 * before, by their digests; the others are one token of that form.
 */
export type Mask = (
  | { readonly kind: TokenForm }
  | { readonly kind: 'run'; readonly longest: number }
  | { readonly kind: 'link'; readonly shape: string }
  | { readonly kind: 'rotating'; readonly texts: readonly string[] }
) & {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** What stood there when it was found, for a person. */
  readonly example: string
}

/** What is known of a page's noise; kept with the page. */
export interface Noise {
  readonly masks: readonly Mask[]
  /** Changes in a row that a repeat confirmed; see `NoiseRecheck`. */
  readonly confirmed: number
  /** Digests of what stood in places that vary and are not masked, by place. */
  readonly varied: Readonly<Record<string, readonly string[]>>
  /** Places whose text changes from visit to visit, the one that changed last at the end. */
  readonly rotation: readonly RotatingSlot[]
}

export const noNoise: Noise = Object.freeze({
  masks: [],
  confirmed: 0,
  varied: {},
  rotation: [],
})

/** What a page's record holds; nothing where it holds nothing we wrote. */
export function noiseOf(kept: Json | undefined): Noise {
  if (kept === null || kept === undefined || typeof kept !== 'object') return noNoise
  const { masks, confirmed, varied, rotation } = kept as unknown as Partial<Noise>
  if (!Array.isArray(masks)) return noNoise
  return { masks, confirmed: confirmed ?? 0, varied: varied ?? {}, rotation: rotation ?? [] }
}

interface Masked {
  /** With a sign in the place of what is masked. */
  readonly tokens: readonly string[]
  /** Masks that found nothing to mask. */
  readonly lost: readonly Mask[]
  /** Whether all of a slot is masked. */
  covered(slot: Slot): boolean
}

/**
 * Leaves out what masks say, token by token. Where a mask no longer finds all
 * that stood around it, part of that must do, unless it is to be strict: a word
 * beside it may have changed. O(masks × tokens).
 */
export function maskedTokens(
  tokens: readonly string[],
  masks: readonly Mask[],
  { strict = false }: { readonly strict?: boolean } = {},
): Masked {
  const page = new MaskedPage(tokens, strict)
  const places = masks.filter(({ kind }) => kind !== 'rotating')
  const lost = places.filter((mask) => page.apply(mask) === 0)
  const texts = masks.flatMap((mask) => (mask.kind === 'rotating' ? mask.texts : []))
  const result = places.length === 0 ? tokens : page.result()
  return {
    tokens: texts.length === 0 ? result : withoutRotating(result, new Set(texts)),
    lost,
    covered: (slot) => page.covers(slot),
  }
}

/** Tokens that a run may stand for: what is new there may be longer than what was seen. */
export function mostIn({ longest }: { readonly longest: number }): number {
  return 2 * longest + 10
}

class MaskedPage {
  readonly #tokens: readonly string[]
  readonly #named: readonly string[]
  /** What stands for each token; null for the rest of a run. */
  readonly #kept: (string | null)[]
  readonly #strict: boolean
  /** Runs, by where they begin: where they end. */
  readonly #runs = new Map<number, number>()
  /** By place, once all masks are applied. */
  #reach: Int32Array | undefined

  constructor(tokens: readonly string[], strict: boolean) {
    this.#strict = strict
    this.#tokens = tokens
    this.#named = namedTokens(tokens)
    this.#kept = [...tokens]
  }

  /** How many places a mask found. */
  apply(mask: Mask): number {
    if (mask.kind === 'run') return this.#run(mask)
    return mask.kind === 'link' ? this.#links(mask.shape) : this.#single(mask)
  }

  result(): string[] {
    const out: string[] = []
    for (let i = 0; i <= this.#kept.length; i++) {
      if (this.#runs.has(i)) out.push(varying)
      const token = this.#kept[i]
      if (token !== null && token !== undefined) out.push(token)
    }
    return out
  }

  covers({ start, end }: Slot): boolean {
    if (start === end) return this.#furthest(start) >= end
    for (let i = start; i < end; i++) if (this.#kept[i] === this.#tokens[i]) return false
    return true
  }

  /** Where the longest of the runs ends that begin at a place or before it; -1 where none does. */
  #furthest(start: number): number {
    this.#reach ??= this.#reachOfRuns()
    return this.#reach[start]!
  }

  #reachOfRuns(): Int32Array {
    const reach = new Int32Array(this.#tokens.length + 1)
    let end = -1
    for (let i = 0; i < reach.length; i++) {
      end = Math.max(end, this.#runs.get(i) ?? -1)
      reach[i] = end
    }
    return reach
  }

  #single(mask: Mask): number {
    const places = [...this.#tokens.keys()].filter((i) => this.#mayStand(mask, i))
    const whole = places.filter((i) => this.#before(mask, i) && this.#after(mask, i))
    // What stands on one side tells where it is, too.
    const chosen =
      whole.length > 0 || this.#strict
        ? whole
        : places.filter(
            (i) =>
              this.#named[i] === `<${mask.kind}>` &&
              (this.#before(mask, i) || this.#after(mask, i)),
          )
    for (const i of chosen) this.#kept[i] = varying
    return chosen.length
  }

  #mayStand({ kind }: Mask, i: number): boolean {
    if (this.#named[i] === `<${kind}>`) return true
    return kind === 'id' && couldBeMachineMade(this.#tokens[i]!)
  }

  #before({ before }: Mask, i: number): boolean {
    return before.length > 0 && endsAt(this.#named, i, before)
  }

  #after({ after }: Mask, i: number): boolean {
    return after.length > 0 && startsAt(this.#named, i + 1, after)
  }

  #links(shape: string): number {
    let found = 0
    for (const [i, token] of this.#tokens.entries()) {
      if (token.charCodeAt(0) !== 1 || !hasShape(token, shape)) continue
      this.#kept[i] = shape
      found++
    }
    return found
  }

  /** All between the words before and the nearest words after. */
  #run(mask: Mask & { kind: 'run' }): number {
    const { before, after } = mask
    const ways = [
      { before, after },
      { before, after: after.slice(0, 2) },
      { before, after: after.slice(0, 1) },
      { before: before.slice(-2), after },
    ]
    for (const way of this.#strict ? ways.slice(0, 1) : ways) {
      const found = this.#stretches({ ...way, most: mostIn(mask) })
      if (found > 0) return found
    }
    return 0
  }

  #stretches(given: { before: readonly string[]; after: readonly string[]; most: number }): number {
    const named = this.#named
    let found = 0
    let start = -1
    for (let i = 0; i <= named.length; i++) {
      if (endsAt(named, i, given.before)) start = i
      if (start === -1 || i - start > given.most || !startsAt(named, i, given.after)) continue
      this.#kept.fill(null, start, i)
      this.#runs.set(start, i)
      found++
      start = -1
    }
    return found
  }
}
