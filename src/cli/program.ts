import { Command, CommanderError, Option } from 'commander'
import { EnvironmentError, RevisitError } from '../model/errors.js'
import * as help from './command-help.js'
import { type DemoFlags, describeDemo } from './commands/demo/options.js'
import { estimateCommand } from './commands/estimate/command.js'
import { describeEstimate, type EstimateFlags } from './commands/estimate/options.js'
import { evaluateCommand } from './commands/evaluate/command.js'
import { describeEvaluate, type EvaluateFlags } from './commands/evaluate/options.js'
import { describeFromGit, type FromGitFlags, fromGitCommand } from './commands/histories.js'
import { describeLaws, type LawsFlags, lawsCommand } from './commands/laws.js'
import { describeReproduce, type ReproduceFlags, reproduceCommand } from './commands/reproduce.js'
import { describeSampling, type SamplingFlags, samplingCommand } from './commands/sampling.js'
import { simulateCommand } from './commands/simulate/command.js'
import { describeSimulate, type SimulateFlags } from './commands/simulate/options.js'
import { type Environment, exitCode } from './environment.js'
import { fileName, type SettingKey, settingKeys, settings } from './settings/settings.js'

/** Settings that stand in every help; the others stand in that of `run` and `config`. */
const everyHelp: ReadonlySet<SettingKey> = new Set(['database', 'collection'])

/**
 * Adds the commands that follow pages. What they need is loaded when one is
 * run: the other commands start without network and store.
 */
function describeCrawler(
  program: Command,
  {
    environment,
    ended,
  }: { readonly environment: Environment; readonly ended: (code: number) => void },
): void {
  const few = (command: Command) => withSettings(command, { hidden: true })
  const all = (command: Command) => withSettings(command, { hidden: false })
  const own = { hidden: true, without: ['hours', 'policy', 'objective'] as const }
  withSettings(help.watching(program.command('watch')), own).action(async (what, flags) => {
    const { watchCommand } = await import('./commands/watch/command.js')
    ended(await watchCommand(environment, { what, flags }))
  })
  few(help.unwatching(program.command('unwatch'))).action(async (addresses, flags) => {
    const { unwatchCommand } = await import('./commands/unwatch.js')
    ended(await unwatchCommand(environment, { addresses, flags }))
  })
  all(help.running(program.command('run'))).action(async (flags) => {
    const { runCommand } = await import('./commands/run.js')
    ended(await runCommand(environment, flags))
  })
  few(help.visiting(program.command('visit'))).action(async (addresses, flags) => {
    const { visitCommand } = await import('./commands/visit.js')
    ended(await visitCommand(environment, { addresses, flags }))
  })
  all(help.serving(program.command('serve'))).action(async (flags) => {
    const { serveCommand } = await import('./commands/serve/command.js')
    ended(await serveCommand(environment, flags))
  })
  const channel = { hidden: true, without: [] as const }
  withSettings(help.notifying(program.command('notify')), channel).action(
    async (what, words, flags) => {
      const { notifyCommand } = await import('./commands/notify.js')
      ended(await notifyCommand(environment, { what, words, flags }))
    },
  )
  few(help.keying(program.command('key'))).action(async (what, name, flags) => {
    const { keyCommand } = await import('./commands/key.js')
    ended(await keyCommand(environment, { what, name, flags }))
  })
  few(help.listing(program.command('list'))).action(async (flags) => {
    const { listCommand } = await import('./commands/list.js')
    ended(await listCommand(environment, flags))
  })
  few(help.showing(program.command('show'))).action(async (address, flags) => {
    const { showCommand } = await import('./commands/show.js')
    ended(await showCommand(environment, { address, flags }))
  })
  few(help.unmasking(program.command('unmask'))).action(async (address, flags) => {
    const { unmaskCommand } = await import('./commands/unmask.js')
    ended(await unmaskCommand(environment, { address, flags }))
  })
  few(help.recalling(program.command('history'))).action(async (address, flags) => {
    const { historyCommand } = await import('./commands/history.js')
    ended(await historyCommand(environment, { address, flags }))
  })
  few(help.comparing(program.command('diff'))).action(async (address, a, b, flags) => {
    const { diffCommand } = await import('./commands/diff.js')
    ended(await diffCommand(environment, { address, named: [a, b], flags }))
  })
  few(help.importing(program.command('import'))).action(async (file, flags) => {
    const { importCommand } = await import('./commands/import.js')
    ended(await importCommand(environment, { file, flags }))
  })
  few(help.exporting(program.command('export'))).action(async (to, flags) => {
    const { exportCommand } = await import('./commands/export.js')
    ended(await exportCommand(environment, { to, flags }))
  })
  few(help.backingUp(program.command('backup'))).action(async (file, flags) => {
    const { backupCommand } = await import('./commands/store.js')
    ended(await backupCommand(environment, { file, flags }))
  })
  few(help.restoring(program.command('restore'))).action(async (file, flags) => {
    const { restoreCommand } = await import('./commands/store.js')
    ended(await restoreCommand(environment, { file, flags }))
  })
  few(help.checking(program.command('check'))).action(async (flags) => {
    const { checkCommand } = await import('./commands/store.js')
    ended(await checkCommand(environment, flags))
  })
  few(help.repairing(program.command('repair'))).action(async (flags) => {
    const { repairCommand } = await import('./commands/store.js')
    ended(await repairCommand(environment, flags))
  })
  few(help.planning(program.command('plan'))).action(async (flags) => {
    const { planCommand } = await import('./commands/plan/command.js')
    ended(await planCommand(environment, flags))
  })
  few(help.priors(program.command('prior'))).action(async (task, file, flags) => {
    const { priorCommand } = await import('./commands/prior.js')
    ended(await priorCommand(environment, { task, file, flags }))
  })
  few(help.annotating(program.command('annotate'))).action(async (folder, flags) => {
    const { annotateCommand } = await import('./commands/annotate.js')
    ended(await annotateCommand(environment, { folder, flags }))
  })
  all(help.configuring(program.command('config'))).action(async (flags) => {
    const { configCommand } = await import('./commands/config.js')
    ended(await configCommand(environment, flags))
  })
}

/** The settings as options; most are left out of the help of most commands. */
function withSettings(
  command: Command,
  { hidden, without = [] }: { hidden: boolean; without?: readonly SettingKey[] },
): Command {
  command.option('-j, --json', 'for a program: JSON')
  command.option('--config <file>', 'the configuration file (default: revisit.yaml, if there)')
  for (const key of settingKeys.filter((each) => !without.includes(each))) {
    const { kind, summary, default: standard } = settings[key] as (typeof settings)['database']
    const reported = `${summary} (${kind.write(standard)})`
    const option = new Option(`--${fileName(key)} <value>`, reported)
    command.addOption(hidden && !everyHelp.has(key) ? option.hideHelp() : option)
  }
  // After --hints: alone it would say "on" where nothing is said, over file and environment.
  const deaf = new Option('--no-hints', 'the same as --hints off')
  command.addOption(hidden ? deaf.hideHelp() : deaf)
  if (hidden)
    command.addHelpText('after', '\nEvery setting is an option too: revisit config --help')
  return command
}

/** Runs a command line and gives its exit code. An error becomes one line on stderr. */
export async function runProgram(
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  let code: number = exitCode.done
  const program = root(environment)
  describeEstimate(program.command('estimate')).action(
    async (file: string | undefined, flags: EstimateFlags) => {
      code = await estimateCommand(environment, { file, flags })
    },
  )
  describeSampling(program.command('sampling')).action((flags: SamplingFlags) => {
    code = samplingCommand(environment, flags)
  })
  describeSimulate(program.command('simulate')).action(async (flags: SimulateFlags) => {
    code = await simulateCommand(environment, flags)
  })
  describeEvaluate(program.command('evaluate')).action(async (flags: EvaluateFlags) => {
    code = await evaluateCommand(environment, flags)
  })
  const histories = program
    .command('histories')
    .description('Makes recorded change histories, for revisit evaluate.')
    .helpCommand(false)
  describeFromGit(histories.command('from-git')).action(
    async (repos: string[], flags: FromGitFlags) => {
      code = await fromGitCommand(environment, { repos, flags })
    },
  )
  describeReproduce(program.command('reproduce')).action(
    async (papers: string[], flags: ReproduceFlags) => {
      code = await reproduceCommand(environment, { papers, flags })
    },
  )
  describeLaws(program.command('laws')).action(async (flags: LawsFlags) => {
    code = await lawsCommand(environment, flags)
  })
  describeDemo(program.command('demo')).action(async (flags: DemoFlags) => {
    // Loaded when asked for: the other commands need neither a network nor a database.
    const { demoCommand } = await import('./commands/demo/command.js')
    code = await demoCommand(environment, flags)
  })
  describeCrawler(program, {
    environment,
    ended: (ended) => {
      code = ended
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return failed(error, environment)
  }
}

/** Commands made from it inherit where it writes, and that it throws rather than exits. */
function root(environment: Environment): Command {
  return new Command('revisit')
    .description('Keeps a local copy of changing web pages fresh with as few requests as possible.')
    .version(environment.version, '-V, --version', 'say which version this is')
    .helpOption('-h, --help', 'say how it is used')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => environment.out.write(text),
      writeErr: (text) => environment.err.write(text),
      getOutHelpWidth: () => environment.out.columns ?? 100,
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
  revisit estimate --help
  revisit sampling --period 10d --error 20%
  revisit simulate --process poisson:period=3d --policy malcolm-armitage-2
  revisit histories from-git ../handbook
  revisit evaluate --histories histories/updates.csv.gz --objects histories/objects.csv
  revisit demo`,
    )
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
