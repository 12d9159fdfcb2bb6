import { gzipSync } from 'node:zlib'
import { OptionError } from '../../../model/index.js'
import type { Configured } from '../configured.js'

/**
 * Writes an export piece by piece, to a file or to standard output; tells the
 * bytes of the file, and null where there is none.
 */
export async function writePieces(
  { crawler, world }: Configured,
  {
    pieces,
    to,
  }: {
    readonly pieces: AsyncIterable<string | Uint8Array>
    readonly to: string | undefined
  },
): Promise<number | null> {
  if (to === undefined || to === '-') {
    for await (const piece of pieces) {
      if (typeof piece === 'string') world.out.write(piece)
      else
        throw new OptionError(
          'no-file',
          'an archive is written to a file; name one, such as pages.warc.gz',
        )
      await world.out.drained()
    }
    return null
  }
  const pack = /\.gz$/i.test(to)
  const file = await crawler.createFile(to)
  let bytes = 0
  try {
    // Members of gzip one after the other are one gzip file (RFC 1952, 2.2); a record of an
    // archive is one piece, so that readers can jump to it.
    for await (const piece of pieces) {
      const written = pack ? gzipSync(piece) : piece
      bytes += Buffer.byteLength(written)
      await file.write(written)
    }
    await file.finish()
  } catch (error) {
    await file.drop()
    throw error
  }
  return bytes
}
