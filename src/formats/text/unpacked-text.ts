import { gunzipSync } from 'node:zlib'
import { InputError } from '../../model/index.js'
import { decodedText } from './decoded-text.js'

/** No list of pages is larger: sitemaps.org limits a sitemap to 50 MB. */
const largest = 50 * 1024 * 1024

/**
 * The text of a file that may be packed with gzip, whatever it is called.
 * Throws where the gzip data are damaged or unpack to more than 50 MB.
 */
export function unpackedText(bytes: Uint8Array, contentType?: string): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodedText(bytes, contentType)
  try {
    return decodedText(gunzipSync(bytes, { maxOutputLength: largest }))
  } catch (error) {
    throw new InputError('bad-gzip', 'the gzip data are damaged, or unpack to more than 50 MB', {
      cause: error,
    })
  }
}
