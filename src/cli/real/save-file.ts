import { writeFile } from 'node:fs/promises'
import { EnvironmentError } from '../../model/index.js'

const reasons: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/** Writes a file in place of what was there. */
export async function saveFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content).catch((cause) => Promise.reject(writeFault(path, cause)))
}

/** Why a file cannot be written, for a person. */
export function writeFault(path: string, cause: NodeJS.ErrnoException): EnvironmentError {
  return new EnvironmentError(
    'unwritable-file',
    `cannot write ${path}: ${reasons[cause.code ?? ''] ?? cause.message}; name another file`,
    { cause },
  )
}
