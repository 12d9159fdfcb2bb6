import type { ReplayCollection } from '../../src/lab/evaluate/collection.js'
import { InputError } from '../../src/model/errors.js'

/** The pages of a collection that pass, with everything else as it was. */
export function subCollection(
  collection: ReplayCollection,
  keep: (page: number) => boolean,
): ReplayCollection {
  const pages = collection.ids.map((_, page) => page).filter(keep)
  if (pages.length === 0) throw new InputError('no-history', 'no page is left to replay')
  const pick = (column: Float64Array) => Float64Array.from(pages, (page) => column[page]!)
  const parts = pages.map((page) =>
    collection.times.subarray(collection.offsets[page]!, collection.offsets[page + 1]!),
  )
  const offsets = new Uint32Array(pages.length + 1)
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i]! + part.length
  })
  const times = new Float64Array(offsets[pages.length]!)
  parts.forEach((part, i) => {
    times.set(part, offsets[i])
  })
  return {
    ...collection,
    ids: pages.map((page) => collection.ids[page]!),
    sources: Uint16Array.from(pages, (page) => collection.sources[page]!),
    exact: Uint8Array.from(pages, (page) => collection.exact[page]!),
    from: pick(collection.from),
    until: pick(collection.until),
    before: pick(collection.before),
    offsets,
    times,
  }
}
