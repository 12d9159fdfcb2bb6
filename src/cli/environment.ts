import type { Chunks } from '../formats/bytes/gunzip.js'
import type { LoadDuckDb } from '../formats/duckdb.js'
import type { PaperResult, Published } from '../lab/report/paper.js'
import { OptionError } from '../model/errors.js'
import type { RecordedChanges } from '../model/history.js'
import type { Store } from '../model/store.js'
import type { Clock, UnixSeconds } from '../model/units.js'
import type { PostgresStoreOptions } from '../store/postgres/store.js'
import type { SqliteStoreOptions } from '../store/sqlite/store.js'
import type { BulkEngine, EngineSettings } from './bulk/engine.js'

/** A place to write text. */
export interface TextOutput {
  write(text: string): void
  /** Resolves when what was written has gone out, so that nothing piles up. */
  drained(): Promise<void>
  /** The width of the terminal; undefined where the output is a file or a pipe. */
  readonly columns: number | undefined
  /** Sends what was written now: for lines that a person waits for. */
  flush?(): Promise<void>
}

/** A terminal whose lines are written anew again and again. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  /** Shows these lines in place of those shown before. */
  draw(lines: readonly string[]): void
  /** Takes away what is shown. */
  clear(): void
}

/** What lies at a path. */
export interface FoundPath {
  readonly isFolder: boolean
  readonly size: number
  /** The first bytes of a file, as latin1. */
  readonly head: string
}

/** Bytes to read. */
export interface Source {
  readonly chunks: Chunks
  /** Length in bytes, where it is known. */
  readonly size: number | undefined
  bytesRead(): number
}

/**
 * All that a command needs from outside: main.ts opens the real things, and a
 * test may give others.
 */
export interface Environment {
  readonly version: string
  now(): UnixSeconds
  readonly out: TextOutput
  readonly err: TextOutput
  /** The bytes of a file; fails with an EnvironmentError where it cannot be read. */
  open(path: string): Promise<Source>
  /**
   * Fails with an OptionError where a file must not be written over: a database,
   * one of these inputs, or one that was opened; and with an EnvironmentError where
   * its folder is not there. For commands that work long before they save; `save`
   * asks by itself.
   */
  mayReplace(path: string, inputs?: readonly string[]): Promise<void>
  /** Writes a file, in place of what was there; fails with an EnvironmentError where it cannot. */
  save(path: string, content: string | Uint8Array): Promise<void>
  /** What a JavaScript file of the user's own exports; running it is the user's wish. */
  load(path: string): Promise<Readonly<Record<string, unknown>>>
  /** What the program git writes for these arguments; fails with an EnvironmentError, of code `git-failed` where git itself does. */
  git(args: readonly string[]): AsyncIterable<Uint8Array>
  /** Makes a folder, unless it is there; fails with an EnvironmentError where it cannot. */
  makeFolder(path: string): Promise<void>
  /** The papers that can be run again. */
  papers(): Promise<PaperLibrary>
  /** Folders in which real change histories may lie, the likeliest first. */
  readonly historyFolders: readonly string[]
  /** Network, store and signals; only the commands that visit pages load them. */
  crawler(): Promise<CrawlerEnvironment>
  /** What is piped in; undefined at a terminal. */
  readonly input: Source | undefined
  readonly loadDuckDb: LoadDuckDb
  /** DuckDB over many files; fails with an EnvironmentError where it is not installed. */
  engine(settings: EngineSettings): Promise<BulkEngine>
  /** What lies at a path; undefined where nothing does. */
  found(path: string): Promise<FoundPath | undefined>
  /** Makes hash tables unpredictable for whoever prepared the file; changes no result. */
  readonly seed: number
  /** Asks a yes-or-no question; undefined where there is nobody to answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
  /** Asks for a text that is not shown; undefined where there is nobody to answer. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined
  /** The terminal, for what changes while a person looks; undefined where there is none. */
  readonly screen?: Screen | undefined
  /** Calls back when the person asks to end (Ctrl-C); gives a way to no longer be called. */
  readonly onInterrupt?: (end: () => void) => () => void
  /** Shows how far a long task is, where there is someone to see it. */
  progress(task: Task): Progress
}

export interface Task {
  readonly label: string
  /** How much there is to do; undefined where nobody knows. */
  readonly total: number | undefined
  /** Whether results are written at the same time: a bar would run into them on a terminal. */
  readonly writes: boolean
}

export interface Progress {
  at(done: number): void
  stop(): void
}

/** The papers, and a way to run some of them. */
export interface PaperLibrary {
  readonly papers: ReadonlyArray<{ readonly name: string; readonly published: Published }>
  run(run: PapersRun): Promise<ReadonlyMap<string, PaperResult>>
}

export interface PapersRun {
  readonly names: readonly string[]
  readonly quick: boolean
  readonly seed: number
  readonly threads: number
  readonly histories: readonly RecordedChanges[] | null
  /** The share of a paper that is done, 0 to 1. */
  readonly progress: (name: string, share: number) => void
}

/** A new file that gets its name only once it is whole. */
export interface NewFile {
  write(bytes: Uint8Array | string): Promise<void>
  /** Names it; nothing can be written any more. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  drop(): Promise<void>
}

/** What the commands of the crawler need from outside, beside the Environment. */
export interface CrawlerEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
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
  /** With `thread` on a thread of its own, for many visits a second. A path may be the address of a server. */
  openStore(
    options: SqliteStoreOptions & {
      readonly thread?: boolean
      /** How a server is waited for that cannot be reached. */
      readonly server?: Pick<PostgresStoreOptions, 'patience' | 'openWithin' | 'note'>
    },
  ): Promise<Store>
  restoreStore(request: { from: string; to: string; replace: boolean }): Promise<void>
  /** Calls back at each Ctrl-C or request to end, until it is stopped listening. */
  onInterrupt(listener: () => void): () => void
  /** Ends the process at once. */
  exitNow(code: number): void
}

/**
 * Whether to go on with something long: yes if `--yes` was given, else as the
 * person at the terminal answers; refused where there is nobody to ask.
 */
export async function confirmed(
  { ask }: Environment,
  { yes, about }: { readonly yes: boolean; readonly about: string },
): Promise<boolean> {
  if (yes) return true
  if (ask !== undefined) return ask(`${about}. Go on?`)
  throw new OptionError('too-much', `${about}; ask for less, or say --yes`)
}

/** What the exit code of a command says; `--help` lists the same. */
export const exitCode = {
  done: 0,
  /** Nothing was left to estimate from. */
  nothingLeft: 1,
  /** `visit`: a page failed, was refused or could not be visited now. */
  notAllVisited: 1,
  /** The options were wrong, or the input was refused as a whole (or a line of it, with --strict). */
  refused: 2,
  /** A file cannot be read, or a package is not installed. */
  environment: 3,
  /** A verdict on a paper's claim differs from the recorded one. */
  differs: 4,
  /** `check` found the store not in order. */
  damaged: 5,
  /** An error that nobody foresaw. */
  broken: 70,
  /** Stopped at once by a second Ctrl-C, as shells count it. */
  interrupted: 130,
} as const

export const exitCodeHelp = `
Exit codes:
  0  done
  1  no visit was left to estimate from; visit: a page failed, was refused or had to wait
  2  wrong options, or the input was refused (with --strict: its first bad line)
  3  a file cannot be read, or a package is not installed
  4  a claim's verdict differs from the recorded one
  5  the store is not in order
 70  an error in revisit itself`
