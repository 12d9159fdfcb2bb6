import type { Command } from 'commander'
import { lastModifiedKinds } from '../../simulate/index.js'
import { exitCodeHelp } from '../exit-code.js'
import { effortLimit } from './effort-limit.js'

/** The options and the help of `revisit simulate`. */
export function describeSimulate(command: Command): Command {
  return command
    .summary('how a policy does on pages that change by a known law')
    .description(
      'Visits many simulated pages by a policy, and tells how fresh the copies were, how many\nvisits it took, and how well the change period was estimated. Several processes and\npolicies make a table.',
    )
    .option(
      '-p, --process <spec>',
      'how pages change, such as poisson:period=3d; again for more',
      gather,
    )
    .option('-P, --policy <spec>', 'when to visit, such as fixed:gap=1d; again for more', gather)
    .option('--processes <list>', '"list" describes the processes there are')
    .option('--policies <list>', '"list" describes the policies there are')
    .option('--learners <list>', '"list" describes the learners there are')
    .option(
      '--learner <name>',
      'what estimates the change period (default: what the policy follows)',
    )
    .option(
      '--last-modified <kind>',
      `${Object.keys(lastModifiedKinds).join(', ')} (default: missing)`,
    )
    .option('--pages <count>', 'pages of each process (default: 1000)')
    .option('--days <count>', 'how long each page is visited (default: 120)')
    .option('--seed <number>', 'the same seed gives the same results (default: 1)')
    .option('--threads <count>', 'worker threads; changes no result (default: by the work)')
    .option('-j, --json', 'JSON; durations in seconds, each figure with its standard error')
    .option('--html <file>', 'write a report with figures')
    .option('-y, --yes', `go on with more than ${effortLimit.words}`)
    .addHelpText('after', `${columns}\n${lastModified()}\n${examples}\n${exitCodeHelp}`)
}

function gather(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

const columns = `
Columns (± is one standard error):
  fresh     share of the time in which the copy equalled the page
  copy age  mean time since the copy went stale, 0 while it is fresh
  caught    share of the changes that a visit noticed; several in one gap count once
  needless  share of the visits after the first that found nothing new
  visits    visits a page, the first among them
  bias      mean final estimate / true change period; 1 is unbiased
  spread    standard deviation of the final estimate, in % of the true change period`

function lastModified(): string {
  const widest = Math.max(...Object.keys(lastModifiedKinds).map((name) => name.length))
  const lines = Object.entries(lastModifiedKinds).map(
    ([name, summary]) => `  ${name.padEnd(widest)}  ${summary}`,
  )
  return `\nLast-Modified:\n${lines.join('\n')}`
}

const examples = `
Examples:
  revisit simulate --process poisson:period=3d --policy malcolm-armitage-2
  revisit simulate -p weibull:period=5d,shape=0.6 -P nutch -P storm-crawler -P grimes-ford:factor=0.8
  revisit simulate -p poisson:period=1h -P malcolm-armitage-1 --last-modified honest --pages 10000
  revisit simulate --policies list`
