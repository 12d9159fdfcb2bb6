import { LF } from '../bytes/ascii.js'
import type { Chunks } from '../bytes/gunzip.js'
import { headIsEnough } from './detect.js'

/** The beginning of a stream, and all of it: the first chunks are given again. */
export interface Headed {
  readonly head: Uint8Array
  readonly whole: Chunks
}

/**
 * Looks at the beginning of a stream without losing it. The byte order mark
 * that some programs write first is dropped.
 */
export async function headed(chunks: AsyncGenerator<Uint8Array>): Promise<Headed> {
  let head: Uint8Array = new Uint8Array(0)
  let fault: unknown
  try {
    for (let enough = false; !enough; ) {
      const next = await chunks.next()
      if (next.done === true) break
      head = Buffer.concat([head, next.value])
      enough = next.value.includes(LF) && headIsEnough(head)
      enough ||= head.length > 1 << 16
    }
  } catch (error) {
    fault = error
  }
  const plain = withoutMark(head)
  return { head: plain, whole: again({ head: plain, fault, rest: chunks }) }
}

async function* again(stream: {
  head: Uint8Array
  fault: unknown
  rest: Chunks
}): AsyncGenerator<Uint8Array> {
  yield stream.head
  if (stream.fault !== undefined) throw stream.fault
  yield* stream.rest
}

function withoutMark(head: Uint8Array): Uint8Array {
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  return marked ? head.subarray(3) : head
}
