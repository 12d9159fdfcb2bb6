/** Called when what was given has gone out. */
export type Ending = () => void
/** What `write` and `end` may be given first. */
export type Given = string | Uint8Array | Ending | null | undefined

/** The arguments of `write` and `end`, of which each but the last may be left out. */
export function bodyPart(
  chunk: Given,
  encoding: unknown,
  done: unknown,
): { readonly bytes: Uint8Array | null; readonly ending: Ending | undefined } {
  const ending = [chunk, encoding, done].find((each) => typeof each === 'function')
  return { bytes: bytesOf(chunk, encoding), ending: ending as Ending | undefined }
}

function bytesOf(chunk: Given, encoding: unknown): Uint8Array | null {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return null
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}
