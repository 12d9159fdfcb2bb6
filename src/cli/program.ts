import { Command, CommanderError } from 'commander'
import { EnvironmentError, RevisitError } from '../model/index.js'
import { describeCrawler } from './crawler/describe.js'
import { describeDemo } from './demo/describe.js'
import type { DemoFlags } from './demo/settings.js'
import { estimateCommand } from './estimate/command.js'
import { describeEstimate } from './estimate/describe.js'
import type { EstimateFlags } from './estimate/settings.js'
import { evaluateCommand } from './evaluate/command.js'
import { describeEvaluate } from './evaluate/describe.js'
import type { EvaluateFlags } from './evaluate/settings.js'
import { exitCode } from './exit-code.js'
import { describeFromGit, type FromGitFlags, fromGitCommand } from './histories/from-git-command.js'
import { type LawsFlags, lawsCommand } from './laws/command.js'
import { describeLaws } from './laws/describe.js'
import { reproduceCommand } from './reproduce/command.js'
import { describeReproduce } from './reproduce/describe.js'
import type { ReproduceFlags } from './reproduce/settings.js'
import { samplingCommand } from './sampling/command.js'
import { describeSampling } from './sampling/describe.js'
import type { SamplingFlags } from './sampling/settings.js'
import { simulateCommand } from './simulate/command.js'
import { describeSimulate } from './simulate/describe.js'
import type { SimulateFlags } from './simulate/settings.js'
import type { World } from './world.js'

/** Runs a command line and gives its exit code. An error becomes one line on stderr. */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  let code: number = exitCode.done
  const program = root(world)
  describeEstimate(program.command('estimate')).action(
    async (file: string | undefined, flags: EstimateFlags) => {
      code = await estimateCommand(world, { file, flags })
    },
  )
  describeSampling(program.command('sampling')).action((flags: SamplingFlags) => {
    code = samplingCommand(world, flags)
  })
  describeSimulate(program.command('simulate')).action(async (flags: SimulateFlags) => {
    code = await simulateCommand(world, flags)
  })
  describeEvaluate(program.command('evaluate')).action(async (flags: EvaluateFlags) => {
    code = await evaluateCommand(world, flags)
  })
  const histories = program
    .command('histories')
    .description('Makes recorded change histories, for revisit evaluate.')
    .helpCommand(false)
  describeFromGit(histories.command('from-git')).action(
    async (repos: string[], flags: FromGitFlags) => {
      code = await fromGitCommand(world, { repos, flags })
    },
  )
  describeReproduce(program.command('reproduce')).action(
    async (papers: string[], flags: ReproduceFlags) => {
      code = await reproduceCommand(world, { papers, flags })
    },
  )
  describeLaws(program.command('laws')).action(async (flags: LawsFlags) => {
    code = await lawsCommand(world, flags)
  })
  describeDemo(program.command('demo')).action(async (flags: DemoFlags) => {
    // Loaded when asked for: the other commands need neither a network nor a database.
    const { demoCommand } = await import('./demo/command.js')
    code = await demoCommand(world, flags)
  })
  describeCrawler(program, {
    world,
    ended: (ended) => {
      code = ended
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return failed(error, world)
  }
}

/** Commands made from it inherit where it writes, and that it throws rather than exits. */
function root(world: World): Command {
  return new Command('revisit')
    .description('Keeps a local copy of changing web pages fresh with as few requests as possible.')
    .version(world.version, '-V, --version', 'say which version this is')
    .helpOption('-h, --help', 'say how it is used')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.out.write(text),
      writeErr: (text) => world.err.write(text),
      getOutHelpWidth: () => world.out.columns ?? 100,
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

function failed(error: unknown, { err }: World): number {
  // Commander has already said what it had to say, help and version among it.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCode.done : exitCode.refused
  const { message } = error as Error
  err.write(`revisit: ${message.replaceAll('\n', ' ')}\n`)
  if (error instanceof EnvironmentError) return exitCode.environment
  return error instanceof RevisitError ? exitCode.refused : exitCode.broken
}
