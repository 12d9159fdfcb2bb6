import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from '../../model/errors.js'

/** A stream of bytes, such as a file's. */
export type Chunks = AsyncIterable<Uint8Array>

/** The bytes themselves: unpacked if they begin as gzip does, else as they are. */
export async function* plainBytes(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = new Uint8Array(0)
  while (head.length < 2) {
    const next = await iterator.next()
    if (next.done === true) break
    head = head.length === 0 ? new Uint8Array(next.value) : Buffer.concat([head, next.value])
  }
  const whole = joined(head, iterator)
  if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(whole)
  else yield* whole
}

async function* joined(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield next.value
  } finally {
    await rest.return?.()
  }
}

async function* gunzip(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks)
  const unpacked = createGunzip({ chunkSize: 1 << 18 })
  source.once('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked)
  try {
    for await (const chunk of unpacked) yield chunk
  } catch (error) {
    throw damage(error) ?? error
  } finally {
    source.destroy()
  }
}

/** What zlib's error means to a person; undefined for the errors of others. */
function damage(error: unknown): InputError | undefined {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || !code.startsWith('Z_')) return undefined
  return code === 'Z_BUF_ERROR'
    ? new InputError('cut-short', 'the gzip data end too early; the file was cut short')
    : new InputError('damaged', 'the gzip data are damaged from here on')
}
