import { type Command, Option } from 'commander'
import { fileName, type SettingKey, settingKeys, settings } from '../config/settings.js'
import type { World } from '../world.js'
import type { CrawlerFlags } from './configured.js'
import type { ListFlags } from './pages/list-command.js'
import type { ShowFlags } from './pages/show-command.js'
import type { RunFlags } from './run/command.js'
import type { WatchFlags } from './watch/page-options.js'

/** Settings that stand in every help; the others stand in that of `run` and `config`. */
const everyHelp: ReadonlySet<SettingKey> = new Set(['database', 'collection'])

/**
 * Adds the commands that follow pages. What they need is loaded when one is
 * run: the other commands start without network and store.
 */
export function describeCrawler(
  program: Command,
  { world, ended }: { readonly world: World; readonly ended: (code: number) => void },
): void {
  const run = (task: () => Promise<number>) => task().then(ended)
  withSettings(watching(program.command('watch')), {
    hidden: true,
    without: ['hours', 'policy'],
  }).action((what: string[], flags: WatchFlags) =>
    run(async () => (await import('./watch/command.js')).watchCommand(world, { what, flags })),
  )
  withSettings(running(program.command('run')), { hidden: false }).action((flags: RunFlags) =>
    run(async () => (await import('./run/command.js')).runCommand(world, flags)),
  )
  withSettings(listing(program.command('list')), { hidden: true }).action((flags: ListFlags) =>
    run(async () => (await import('./pages/list-command.js')).listCommand(world, flags)),
  )
  withSettings(showing(program.command('show')), { hidden: true }).action(
    (address: string, flags: ShowFlags) =>
      run(async () =>
        (await import('./pages/show-command.js')).showCommand(world, { address, flags }),
      ),
  )
  withSettings(configuring(program.command('config')), { hidden: false }).action(
    (flags: CrawlerFlags) =>
      run(async () => (await import('./config-command.js')).configCommand(world, flags)),
  )
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
    const told = `${summary} (${kind.write(standard)})`
    const option = new Option(`--${fileName(key)} <value>`, told)
    command.addOption(hidden && !everyHelp.has(key) ? option.hideHelp() : option)
  }
  if (hidden)
    command.addHelpText('after', '\nEvery setting is an option too: revisit config --help')
  return command
}

function watching(command: Command): Command {
  return command
    .summary('follow pages from now on')
    .description(
      'Follow pages from now on. WHAT is the address of a page; a file or an address of a sitemap,\na sitemap index, a feed or OPML; a file with addresses one a line; or - for such a list piped\nin. Lists may be gzipped. An address is taken for a list if it ends in .xml, .opml, .rss,\n.atom, .txt or .gz, or says sitemap at its end; --as list or --as page overrules that.',
    )
    .argument('<WHAT...>', 'addresses, files, or -')
    .option('--group <name>', 'pages thought to change alike')
    .option('--importance <number>', 'what a fresh copy is worth beside the others (1)')
    .option('--hours <hours>', 'hours in UTC in which it may be visited: "mon-fri 8-18; sat 10-12"')
    .option('--policy <name>', 'a policy of its own')
    .option('--header <line...>', 'a header to send, such as "Cookie: a=b"')
    .option('--auth <name:password>', 'basic authentication')
    .option('--as <kind>', 'take the addresses given for a page or for a list')
    .option('--any-host', 'take addresses of other hosts from a fetched sitemap too')
}

function running(command: Command): Command {
  return command
    .summary('visit what is due, until stopped')
    .description(
      'Visit what is due, learn from it when to come back, and go on until stopped. At a terminal\nit shows a live view, elsewhere one line for each visit. Ctrl-C finishes what is under way;\na second one stops at once.',
    )
    .option('--once', 'end when nothing is due (hosts that rest longer than longest-delay wait)')
    .option('--until <time>', 'end after a while (2h), at an hour in UTC (18:30) or at a time')
    .option('-q, --quiet', 'no line for each visit, no live view')
}

export function filtering(command: Command): Command {
  return command
    .option('--host <host>', 'only pages of this host')
    .option('--group <name>', 'only pages of this group')
    .option('--outcome <name>', 'only pages whose last visit ended so')
    .option('--contains <text>', 'only pages with this in their address')
    .option('--due', 'only pages that are due')
}

function listing(command: Command): Command {
  return filtering(
    command.summary('the pages that are followed').description('The pages that are followed.'),
  )
    .option('--sort <by>', 'url, added, due, importance, lastVisit or lastChange (url)')
    .option('--descending', 'the last first')
    .option('--limit <count>', 'how many, or all (100; with --json all)')
}

function showing(command: Command): Command {
  return command
    .summary('all about one page: how often it changes, when it is next visited and why')
    .description(
      'All about one page: how often it changes with bounds, from every recorded visit; when it is\nvisited next and why; what is kept of it.',
    )
    .argument('<URL>', 'the address of the page')
    .option('-m, --method <name>', 'the estimator, as in revisit estimate (irregular-mle)')
    .option('-l, --level <share>', 'level of the bounds (0.95)')
}

function configuring(command: Command): Command {
  return command
    .summary('the value of every setting, and where it comes from')
    .description(
      'The value of every setting, and where it comes from: the command line, the environment,\nrevisit.yaml, or the default, in this order.',
    )
}
