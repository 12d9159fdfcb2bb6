import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { EnvironmentError } from '../../model/index.js'
import type { Source } from '../world.js'

/** Large reads: fewer turns of the event loop. */
const readLength = 1 << 20

/** The bytes of a file. */
export async function openFile(path: string): Promise<Source> {
  const found = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause)))
  if (found.isDirectory())
    throw new EnvironmentError('is-folder', `${path} is a folder; name a file in it`)
  const stream = createReadStream(path, { highWaterMark: readLength })
  return {
    chunks: told(stream, path),
    size: found.isFile() ? found.size : undefined,
    bytesRead: () => stream.bytesRead,
  }
}

/** The bytes that are piped in. */
export function pipedInput(stream: Readable): Source {
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: counted(), size: undefined, bytesRead: () => bytes }
}

async function* told(stream: Readable, path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
}

function unreadable(path: string, cause: NodeJS.ErrnoException | unknown): EnvironmentError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new EnvironmentError(
    'unreadable-file',
    `cannot read ${path}: ${reasons[code] ?? message}; check the path`,
    { cause },
  )
}
