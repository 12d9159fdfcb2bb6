import { endsAt, namedTokens, startsAt } from './context.js'
import { hasShape, varying } from './link-shape.js'
import type { Mask } from './noise.js'
import { couldBeMachineMade, formOf } from './token-form.js'

export interface Masked {
  /** With a sign in the place of what is masked. */
  readonly tokens: readonly string[]
  /** Masks that found nothing to mask. */
  readonly lost: readonly Mask[]
}

/** Leaves out what masks say, token by token. O(masks × tokens). */
export function maskedTokens(tokens: readonly string[], masks: readonly Mask[]): Masked {
  if (masks.length === 0) return { tokens, lost: [] }
  const named = namedTokens(tokens)
  /** What becomes of each token: itself, the sign, or nothing. */
  const kept: (string | null)[] = [...tokens]
  /** Signs that stand between tokens, before this one. */
  const between = new Set<number>()
  const lost = masks.filter((mask) => !apply(mask, { tokens, named, kept, between }))
  const out: string[] = []
  for (let i = 0; i <= kept.length; i++) {
    if (between.has(i)) out.push(varying)
    const token = kept[i]
    if (token !== null && token !== undefined) out.push(token)
  }
  return { tokens: out, lost }
}

interface Page {
  readonly tokens: readonly string[]
  readonly named: readonly string[]
  readonly kept: (string | null)[]
  readonly between: Set<number>
}

function apply(mask: Mask, page: Page): boolean {
  if (mask.kind === 'run') return maskRun(mask, page)
  if (mask.kind === 'link') return maskLinks(mask.shape, page)
  const places = page.tokens.flatMap((token, i) => (mayStand(mask, page, i, token) ? [i] : []))
  const whole = places.filter((i) => before(mask, page, i) && after(mask, page, i))
  // A word beside it may have changed: then what stands on one side tells where it is.
  const chosen =
    whole.length > 0
      ? whole
      : places.filter(
          (i) =>
            formOf(page.tokens[i]!, page.tokens[i + 1] ?? '') === mask.kind &&
            (before(mask, page, i) || after(mask, page, i)),
        )
  for (const i of chosen) page.kept[i] = varying
  return chosen.length > 0
}

function mayStand(mask: Mask, { tokens, named }: Page, i: number, token: string): boolean {
  if (named[i] === `<${mask.kind}>`) return true
  return mask.kind === 'id' && couldBeMachineMade(token) && tokens[i] !== '\n'
}

function before(mask: Mask, { named }: Page, i: number): boolean {
  return endsAt(named, i, mask.before)
}

function after(mask: Mask, { named }: Page, i: number): boolean {
  return startsAt(named, i + 1, mask.after)
}

function maskLinks(shape: string, { tokens, kept }: Page): boolean {
  let found = false
  for (const [i, token] of tokens.entries()) {
    if (token.charCodeAt(0) !== 1 || !hasShape(token, shape)) continue
    kept[i] = shape
    found = true
  }
  return found
}

/** All between the words before and the nearest words after. */
function maskRun(mask: Mask & { kind: 'run' }, { named, kept, between }: Page): boolean {
  let found = false
  for (let start = 0; start <= named.length; start++) {
    if (!endsAt(named, start, mask.before)) continue
    const last = Math.min(named.length, start + 4 * mask.longest + 20)
    for (let end = start; end <= last; end++) {
      if (!startsAt(named, end, mask.after)) continue
      kept.fill(null, start, end)
      between.add(start)
      found = true
      start = end
      break
    }
  }
  return found
}
