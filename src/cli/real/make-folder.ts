import { mkdir } from 'node:fs/promises'
import { EnvironmentError } from '../../model/index.js'

/** Makes a folder, and those it lies in, unless it is there already. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((cause: Error) => {
    throw new EnvironmentError(
      'unwritable-folder',
      `cannot make the folder ${path}: ${cause.message}; name another`,
      { cause },
    )
  })
}
