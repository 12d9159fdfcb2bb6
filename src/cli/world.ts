import type { Chunks, LoadDuckDb } from '../formats/index.js'
import type { RecordedChanges, UnixSeconds } from '../model/index.js'
import type { PaperResult, Published } from '../report/index.js'
import type { CrawlerWorld } from './crawler/crawler-world.js'

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

/** A terminal that is drawn over again and again. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  /** Shows these lines in place of those shown before. */
  draw(lines: readonly string[]): void
  /** Takes away what is shown. */
  clear(): void
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
export interface World {
  readonly version: string
  now(): UnixSeconds
  readonly out: TextOutput
  readonly err: TextOutput
  /** The bytes of a file; fails with an EnvironmentError where it cannot be read. */
  open(path: string): Promise<Source>
  /**
   * Fails with an OptionError where a file must not be written over: a database,
   * one of these inputs, or one that was opened. For commands that work long
   * before they save; `save` asks by itself.
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
  crawler(): Promise<CrawlerWorld>
  /** What is piped in; undefined at a terminal. */
  readonly input: Source | undefined
  readonly loadDuckDb: LoadDuckDb
  /** Makes hash tables unpredictable for whoever prepared the file; changes no result. */
  readonly seed: number
  /** Asks a yes-or-no question; undefined where there is nobody to answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
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
