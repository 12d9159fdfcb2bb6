import type { CrawlerFlags } from './configured.js'
import type { Environment } from './environment.js'
import type { SettingKey } from './settings/settings.js'

/**
 * How a command is declared: its words, options and help once, as data beside
 * the code that runs it. The types of what `run` is given, commander's parser,
 * the help and the shells' completion all derive from that.
 */

/** Reads what was written after an option, whose name is for the refusal of what means nothing. */
type OptionReader = (text: string, option: string) => unknown
/**
 * As commander reads it (`-n, --top <count>`), what it does, and how its value
 * is read: as it is written by default; `again` where each use adds one.
 */
export type OptionLine = readonly [written: string, about: string, read?: 'again' | OptionReader]
/** `<URL>`, `[FILE]` or `<WHAT...>`, and what it is. */
export type ArgumentLine = readonly [written: string, about: string]

type Long<Written> = Written extends `-${string}, --${infer Rest}`
  ? Rest
  : Written extends `--${infer Rest}`
    ? Rest
    : never
type Camel<Name> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name
type Key<Name> = Name extends `${infer Word} ${string}`
  ? Key<Word>
  : Name extends `no-${infer Rest}`
    ? Camel<Rest>
    : Camel<Name>
type Value<Line extends OptionLine> = Line[2] extends 'again'
  ? readonly string[]
  : Line[2] extends OptionReader
    ? ReturnType<Line[2]>
    : Line[0] extends `${string} <${string}...>`
      ? readonly string[]
      : Line[0] extends `${string} <${string}>`
        ? string
        : boolean

/** What commander hands over for these options. */
export type FlagsOf<Options extends readonly OptionLine[]> = {
  readonly [Line in Options[number] as Key<Long<Line[0]>> & string]?: Value<Line>
}

type Word<Line extends ArgumentLine> = Line[0] extends `${string}...${string}`
  ? readonly string[]
  : Line[0] extends `<${string}>`
    ? string
    : string | undefined

type WordsOf<Arguments extends readonly ArgumentLine[]> = {
  readonly [Place in keyof Arguments]: Word<Arguments[Place]>
}

/** One command, as the program reads it. */
export interface CliCommand {
  /** Whole paragraphs: the help wraps them to the terminal. */
  readonly description: string
  readonly arguments: readonly ArgumentLine[]
  readonly options: readonly OptionLine[]
  /** Whether every setting is an option too; those named are the command's own. */
  readonly settings: boolean
  readonly ownSettings: readonly SettingKey[]
  /** What stands below the options in its help. */
  readonly more: string
  run(given: Given): Promise<number> | number
}

interface Given {
  readonly environment: Environment
  readonly words: readonly unknown[]
  readonly flags: object
  /** All commands, for those that are about commands. */
  readonly commands: readonly CommandEntry[]
}

/** Several commands under one name. */
export interface CommandGroup {
  readonly description: string
  readonly more?: string
  readonly subcommands: Readonly<Record<string, Subcommand>>
}

interface Subcommand {
  readonly summary: string
  readonly command: CliCommand
}

/** A command in the list of all: enough for `revisit --help`, and where the rest is. */
export interface CommandEntry {
  readonly name: string
  readonly group: string
  readonly summary: string
  load(): Promise<CliCommand | CommandGroup>
}

interface Declared<
  Arguments extends readonly ArgumentLine[],
  Options extends readonly OptionLine[],
  Flags,
> {
  readonly description: string
  readonly arguments?: Arguments
  readonly options?: Options
  readonly ownSettings?: readonly SettingKey[]
  readonly more?: string
  run(
    environment: Environment,
    words: WordsOf<Arguments>,
    flags: FlagsOf<Options> & Flags,
    commands: readonly CommandEntry[],
  ): Promise<number> | number
}

/** A command that works by itself. */
export function plainCommand<
  const Arguments extends readonly ArgumentLine[] = readonly [],
  const Options extends readonly OptionLine[] = readonly [],
>(declared: Declared<Arguments, Options, object>): CliCommand {
  return made(declared, false)
}

/** A command on the store: every setting is an option of it, and so are --json and --config. */
export function storeCommand<
  const Arguments extends readonly ArgumentLine[] = readonly [],
  const Options extends readonly OptionLine[] = readonly [],
>(declared: Declared<Arguments, Options, CrawlerFlags>): CliCommand {
  return made(declared, true)
}

function made<
  Arguments extends readonly ArgumentLine[],
  Options extends readonly OptionLine[],
  Flags,
>(declared: Declared<Arguments, Options, Flags>, settings: boolean): CliCommand {
  return {
    description: declared.description,
    arguments: declared.arguments ?? [],
    options: declared.options ?? [],
    settings,
    ownSettings: declared.ownSettings ?? [],
    more: declared.more ?? '',
    // Commander made both from the very lines that their types are read from.
    run: ({ environment, words, flags, commands }) =>
      declared.run(
        environment,
        words as WordsOf<Arguments>,
        flags as FlagsOf<Options> & Flags,
        commands,
      ),
  }
}
