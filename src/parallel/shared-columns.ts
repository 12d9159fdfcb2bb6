import { type BatchEstimates, type Columns, pageCount } from '../estimate/batch/index.js'

/**
 * The same columns in memory that all threads see. Columns already there are
 * given back as they are; others are copied once.
 */
export function sharedColumns({ offsets, gaps, changed }: Columns): Columns {
  return {
    offsets: isShared(offsets) ? offsets : copy(offsets, Uint32Array),
    gaps: isShared(gaps) ? gaps : copy(gaps, Float64Array),
    changed: isShared(changed) ? changed : copy(changed, Uint8Array),
  }
}

/** Room for the estimates of all pages, in memory that all threads see. */
export function sharedEstimates(columns: Columns): BatchEstimates {
  const pages = pageCount(columns)
  return {
    changeRates: new Float64Array(new SharedArrayBuffer(8 * pages)),
    verdicts: new Uint8Array(new SharedArrayBuffer(pages)),
  }
}

function isShared(array: ArrayBufferView): boolean {
  return array.buffer instanceof SharedArrayBuffer
}

function copy<A extends Uint32Array | Float64Array | Uint8Array>(
  array: A,
  Kind: { new (buffer: SharedArrayBuffer): A; readonly BYTES_PER_ELEMENT: number },
): A {
  const shared = new Kind(new SharedArrayBuffer(array.length * Kind.BYTES_PER_ELEMENT))
  shared.set(array)
  return shared
}
