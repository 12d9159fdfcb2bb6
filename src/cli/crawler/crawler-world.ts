import type { HttpFetcherOptions } from '../../crawl/index.js'
import type { Clock, Fetcher, FileStore } from '../../model/index.js'
import type { SqliteStoreOptions } from '../../store/index.js'

/** A new file that gets its name only once it is whole. */
export interface NewFile {
  write(bytes: Uint8Array | string): Promise<void>
  /** Names it; nothing can be written any more. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  drop(): Promise<void>
}

/** What the commands of the crawler need from outside, beside the World. */
export interface CrawlerWorld {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Names this process to the store. */
  readonly worker: string
  /** Whether the process that a worker names may still be at work; true where that cannot be known. */
  isRunning(worker: string): boolean
  /** Whether standard output shows colours. */
  readonly colours: boolean
  /** To standard output, at once. */
  say(text: string): void
  /** To standard error, at once. */
  tell(text: string): void
  exists(path: string): boolean
  /** Whether a file is there and has no byte. */
  isEmptyFile(path: string): boolean
  createFile(path: string): Promise<NewFile>
  /** With `thread` on a thread of its own, for many visits a second. */
  openStore(options: SqliteStoreOptions & { readonly thread?: boolean }): Promise<FileStore>
  restoreStore(request: { from: string; to: string; replace: boolean }): Promise<void>
  openFetcher(options: HttpFetcherOptions): Fetcher
  /** Calls back at each Ctrl-C or request to end, until told to stop listening. */
  onInterrupt(listener: () => void): () => void
  /** Ends the process at once. */
  leave(code: number): void
}
