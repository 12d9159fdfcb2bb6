import type { Readable } from 'node:stream'
import { FetchFailure } from './fetch-failure.js'

export interface BodyLimit {
  readonly maxBytes: number
  readonly whenLarger: 'fail' | 'cut'
}

export interface CollectedBody {
  readonly bytes: Buffer
  /** There was more than the limit, and it was let go. */
  readonly cut: boolean
}

/**
 * Takes in a stream up to a limit. Memory stays within the limit and one chunk:
 * an endless body is broken off, not read.
 */
export function collectedBody(
  stream: Readable,
  { maxBytes, whenLarger, onChunk }: BodyLimit & { onChunk?: (size: number) => void },
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let done = false
    const finish = (cut: boolean) => {
      done = true
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve({ bytes: cut ? bytes.subarray(0, maxBytes) : bytes, cut })
    }
    stream.on('data', (chunk: Buffer) => {
      onChunk?.(chunk.length)
      size += chunk.length
      if (whenLarger === 'cut' || size <= maxBytes) chunks.push(chunk)
      if (size <= maxBytes) return
      if (whenLarger === 'cut') finish(true)
      else reject(new FetchFailure('too-large', `the content is larger than ${maxBytes} bytes`))
      stream.destroy()
    })
    stream.on('end', () => finish(false))
    stream.on('error', reject)
    // Every stream closes in the end, and an error is dear to make.
    stream.on('close', () => {
      if (!done) reject(new FetchFailure('reset', 'the content broke off'))
    })
  })
}
