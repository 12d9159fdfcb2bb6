import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'

/** SHA-256 of a content, in hex: the name of its snapshot. */
export function digestOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}

/** A content as it lies in the store. */
export interface PackedContent {
  readonly packing: Packing
  readonly body: Uint8Array
}

/** Numbers are on disk: never renumber. */
const packings = { plain: 0, brotli: 1 } as const
type Packing = (typeof packings)[keyof typeof packings]

/** 0.15 ms for 20 KB of HTML, to a quarter; quality 4 would save 9% more for 1.7 times the time. */
const quality = 2

/** Up to here the way to another thread and back takes longer than the work. */
const packedHere = 32 * 1024

/** Compresses, on another thread if there is much to do, else at once; what does not shrink stays plain. */
export function packContent(body: Uint8Array): PackedContent | Promise<PackedContent> {
  if (body.length <= packedHere) return packContentNow(body)
  return compress(body, options(body)).then((packed) => smaller(body, packed))
}

/** The same at once, for the rare content that turns out to be missing within a transaction. */
export function packContentNow(body: Uint8Array): PackedContent {
  return smaller(body, brotliCompressSync(body, options(body)))
}

export async function unpackContent({ packing, body }: PackedContent): Promise<Uint8Array> {
  return packing === packings.brotli ? await decompress(body) : body
}

function smaller(body: Uint8Array, packed: Uint8Array): PackedContent {
  return packed.length < body.length
    ? { packing: packings.brotli, body: packed }
    : { packing: packings.plain, body }
}

/** In pieces of what comes out: Node's 16 KB for each content would be most of what the collector has to free. */
function options(body: Uint8Array) {
  return {
    chunkSize: Math.max(1024, body.length >> 2),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  }
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
