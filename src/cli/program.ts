import { Command, CommanderError, Option } from 'commander'
import { EnvironmentError, OptionError, RevisitError } from '../model/errors.js'
import type { CliCommand, CommandGroup } from './command.js'
import { commands } from './commands.js'
import { type Environment, exitCode } from './environment.js'
import { wrappedText } from './text/wrapped-text.js'

/** Where the help is written to a file or a pipe. */
const usualWidth = 100

/** Runs a command line and gives its exit code. An error becomes one line on stderr. */
export async function runProgram(
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  const running: Running = { environment, code: exitCode.done }
  const program = root(environment)
  const given = helpAsked(args)
  const asked = given.find((each) => !each.startsWith('-'))
  try {
    for (const { name, summary, group, load } of commands) {
      const command = program.command(name).summary(summary).helpGroup(group)
      if (name === asked) await declare(command, await load(), running)
    }
    // Commander would answer `revisit nothing --help` with the help of all.
    const isKnown = asked === undefined || commands.some(({ name }) => name === asked)
    await program.parseAsync(isKnown ? given : [asked], { from: 'user' })
    return running.code
  } catch (error) {
    return failed(error, environment)
  }
}

/** What a command line came to. */
interface Running {
  readonly environment: Environment
  code: number
}

/** `revisit help list` is `revisit list --help`. */
function helpAsked(args: readonly string[]): readonly string[] {
  if (args[0] !== 'help' || args[1] === 'settings' || args[1] === '--help') return args
  return [...args.slice(1), '--help']
}

/** Commands made from it inherit where it writes, and that it throws rather than exits. */
function root(environment: Environment): Command {
  return new Command('revisit')
    .description('Keeps a local copy of changing web pages fresh with as few requests as possible.')
    .version(environment.version, '-V, --version', 'say which version this is')
    .helpOption('-h, --help', 'say how it is used')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => environment.out.write(text),
      writeErr: (text) => environment.err.write(text),
      getOutHelpWidth: () => environment.out.columns ?? usualWidth,
      // Commander puts its guess on a line of its own; an error is one line.
      outputError: (text, write) =>
        write(
          `revisit: ${text
            .replace(/^error: /, '')
            .trimEnd()
            .replace(/\s*\n\(D/, ' (d')}; see revisit --help\n`,
        ),
    })
    .addHelpText(
      'after',
      `
Examples:
  revisit watch https://example.org/news
  revisit run --contact you@example.org
  revisit show https://example.org/news
  revisit estimate visits.csv
  revisit sampling --period 10d --error 20%
  revisit demo

revisit COMMAND --help says more of each; revisit help settings lists the settings.`,
    )
}

/** Arguments, options and help of a command, or of all in a group. */
async function declare(
  command: Command,
  declared: CliCommand | CommandGroup,
  running: Running,
): Promise<void> {
  const { out } = running.environment
  command.description(declared.description)
  if (declared.more)
    command.addHelpText('after', () => wrappedText(`\n${declared.more}`, out.columns ?? usualWidth))
  if ('subcommands' in declared) return declareGroup(command, declared, running)
  for (const [written, about] of declared.arguments) command.argument(written, about)
  for (const [written, about, read] of declared.options) {
    const option = new Option(written, about)
    if (read === 'again') option.argParser(gather)
    else if (read !== undefined) option.argParser((text) => read(text, option.long!))
    command.addOption(option)
  }
  if (declared.settings) await addSettings(command, declared)
  command.action(async (...given: unknown[]) => {
    const { environment } = running
    const flags = command.opts()
    const words = given.slice(0, -2)
    running.code = await declared.run({ environment, words, flags, commands })
  })
}

function gather(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

async function declareGroup(
  command: Command,
  { subcommands }: CommandGroup,
  running: Running,
): Promise<void> {
  const names = Object.keys(subcommands).join(', ')
  command
    .usage('COMMAND [options]')
    .argument('[COMMAND...]')
    .allowUnknownOption()
    .helpCommand(false)
    .action((words: readonly string[]) => {
      const got = words[0] === undefined ? 'say which' : `got ${JSON.stringify(words[0])}`
      throw new OptionError('bad-option', `revisit ${command.name()} takes ${names}; ${got}`)
    })
  for (const [name, { summary, command: declared }] of Object.entries(subcommands))
    await declare(command.command(name).summary(summary), declared, running)
}

/** Every setting as an option; most stand in no command's help, but in `revisit help settings`. */
async function addSettings(command: Command, { ownSettings }: CliCommand): Promise<void> {
  const { settingOptions } = await import('./settings/settings.js')
  command.option('-j, --json', 'for a program: JSON')
  command.option('--config <file>', 'the configuration file (default: revisit.yaml, if there)')
  for (const { written, about, hidden } of settingOptions(ownSettings)) {
    const option = new Option(written, about)
    command.addOption(hidden ? option.hideHelp() : option)
  }
  command.addHelpText('after', '\nEvery setting is an option too: revisit help settings')
}

function failed(error: unknown, { err }: Environment): number {
  // Commander has already said what it had to say, help and version among it.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCode.done : exitCode.refused
  const { message } = error as Error
  err.write(`revisit: ${message.replaceAll('\n', ' ')}\n`)
  if (error instanceof EnvironmentError) return exitCode.environment
  return error instanceof RevisitError ? exitCode.refused : exitCode.broken
}
