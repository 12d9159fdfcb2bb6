import { existsSync } from 'node:fs'
import { StoreClock } from '../../crawler/processes/store-clock.js'
import { mayRun, workerName } from '../../crawler/processes/worker-name.js'
import { isServerAddress } from '../../store/postgres/server/address.js'
import { restoreStore } from '../../store/sqlite/file/backup.js'
import { isEmptyFile } from '../../store/sqlite/file/file-state.js'
import { openSqliteStore } from '../../store/sqlite/store.js'
import { openThreadedStore } from '../../store/thread/threaded-store.js'
import type { CrawlerEnvironment } from '../environment.js'
import type { DiskFiles } from './files.js'

/** The network, the store on disk and the signals of a process. */
export function crawlerEnvironment(process: NodeJS.Process, files: DiskFiles): CrawlerEnvironment {
  const { stdout, stderr, env } = process
  return {
    env: env,
    clock: new StoreClock(),
    worker: workerName(),
    isRunning: mayRun,
    colours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    say: (text) => void stdout.write(text),
    tell: (text) => void stderr.write(text),
    exists: existsSync,
    isEmptyFile,
    createFile: files.createFile,
    async openStore({ thread = false, server = {}, ...options }) {
      if (!isServerAddress(options.path))
        return thread ? openThreadedStore(options) : openSqliteStore(options)
      const { openPostgresStore } = await import('../../store/postgres/store.js')
      return openPostgresStore({ ...options, ...server, url: options.path })
    },
    restoreStore,
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
      return () => {
        process.off('SIGINT', listener)
        process.off('SIGTERM', listener)
      }
    },
    exitNow: (code) => process.exit(code),
  }
}
