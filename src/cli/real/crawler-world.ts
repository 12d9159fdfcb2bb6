import { existsSync } from 'node:fs'
import { HttpFetcher, systemClock } from '../../crawl/index.js'
import { openSqliteStore, openThreadedStore, restoreStore } from '../../store/index.js'
import { isEmptyFile } from '../../store/sqlite/empty-file.js'
import type { CrawlerWorld } from '../crawler/crawler-world.js'
import type { DiskFiles } from './disk-files.js'
import { mayRun, workerName } from './worker-name.js'

/** The network, the store on disk and the signals of a process. */
export function crawlerWorld(process: NodeJS.Process, files: DiskFiles): CrawlerWorld {
  const { stdout, stderr, env } = process
  return {
    environment: env,
    clock: systemClock,
    worker: workerName(),
    isRunning: mayRun,
    colours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    say: (text) => void stdout.write(text),
    tell: (text) => void stderr.write(text),
    exists: existsSync,
    isEmptyFile,
    createFile: files.createFile,
    openStore: ({ thread = false, ...options }) =>
      thread ? openThreadedStore(options) : openSqliteStore(options),
    restoreStore,
    openFetcher: (options) => new HttpFetcher(options),
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
      return () => {
        process.off('SIGINT', listener)
        process.off('SIGTERM', listener)
      }
    },
    leave: (code) => process.exit(code),
  }
}
