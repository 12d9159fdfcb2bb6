import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { HttpFetcher, systemClock } from '../../crawl/index.js'
import { openSqliteStore, openThreadedStore, restoreStore } from '../../store/index.js'
import { isEmptyFile } from '../../store/sqlite/empty-file.js'
import type { CrawlerWorld } from '../crawler/crawler-world.js'
import type { DiskFiles } from './disk-files.js'

/** The network, the store on disk and the signals of a process. */
export function crawlerWorld(process: NodeJS.Process, files: DiskFiles): CrawlerWorld {
  const { stdout, stderr, env } = process
  return {
    environment: env,
    clock: systemClock,
    worker: `${hostname()}:${process.pid}`,
    isRunning,
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

/** Of another machine's processes nothing is known. */
function isRunning(worker: string): boolean {
  const at = worker.lastIndexOf(':')
  const pid = Number(worker.slice(at + 1))
  if (worker.slice(0, at) !== hostname() || !Number.isInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
