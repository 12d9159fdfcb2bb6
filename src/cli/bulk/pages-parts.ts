import { EnvironmentError } from '../../model/errors.js'
import type { BulkEngine } from './engine.js'

/** One of several parts of the pages, by a hash of the address. */
export interface PagesPart {
  readonly index: number
  readonly of: number
}

/** Bytes of memory that DuckDB takes for a log of any size. */
const bytesOfEngine = 2e8

/** How often a part that does not fit after all is halved. */
const halvings = 4

/** In how many parts the pages are taken, one after the other, so that each of so many bytes should fit into memory. */
export function partsFor(bytes: number, { memory }: { readonly memory: number }): number {
  return Math.max(1, Math.ceil(bytes / Math.max(5e7, memory - bytesOfEngine)))
}

/**
 * Does something for each part of the pages, and gives what it gave. What a
 * visit takes depends on the log (long addresses, few visits a page), so a part
 * for which memory does not suffice is taken as two. `done` is the share of all
 * pages.
 */
export async function partByPart<T>(
  { engine, of }: { engine: Pick<BulkEngine, 'anew'>; of: number },
  take: (part: PagesPart, done: (share: number) => void) => Promise<T>,
  done: (share: number) => void,
): Promise<T[]> {
  const taken: T[] = []
  const left: PagesPart[] = Array.from({ length: of }, (_, index) => ({ index, of }))
  let before = 0
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const weight = 1 / part.of
    if (part.of > 1) await engine.anew()
    try {
      taken.push(await take(part, (share) => done(before + share * weight)))
      before += weight
    } catch (error) {
      if (!isTooLarge(error) || part.of >= of * 2 ** halvings) throw error
      left.unshift(...halves(part))
    }
  }
  return taken
}

function isTooLarge(error: unknown): boolean {
  return error instanceof EnvironmentError && error.code === 'out-of-memory'
}

function halves({ index, of }: PagesPart): PagesPart[] {
  return [index, index + of].map((each) => ({ index: each, of: 2 * of }))
}
