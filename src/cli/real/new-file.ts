import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { EnvironmentError } from '../../model/index.js'
import type { NewFile } from '../crawler/crawler-world.js'
import { writeFault } from './save-file.js'

/** A file that is written beside its place and takes it, whole, at the end. */
export async function createFile(path: string): Promise<NewFile> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const told = (cause: NodeJS.ErrnoException): EnvironmentError => writeFault(path, cause)
  const file = await open(partial, 'wx').catch((cause) => Promise.reject(told(cause)))
  return {
    async write(bytes) {
      await file.appendFile(bytes).catch((cause) => Promise.reject(told(cause)))
    },
    async finish() {
      await file.close()
      await rename(partial, path).catch((cause) => Promise.reject(told(cause)))
    },
    async drop() {
      await file.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}
