import type { Command } from 'commander'

export function listing(command: Command): Command {
  return filtering(
    command.summary('the pages that are followed').description('The pages that are followed.'),
  )
    .option('--sort <by>', 'url, added, due, importance, lastVisit or lastChange (url)')
    .option('--descending', 'the last first')
    .option('--limit <count>', 'how many, or all (100; with --json all)')
}

export function showing(command: Command): Command {
  return command
    .summary('all about one page: how often it changes, when it is next visited and why')
    .description(
      'All about one page: how often it changes with bounds, from every recorded visit; when it is\nvisited next and why; what is kept of it.',
    )
    .argument('<URL>', 'the address of the page')
    .option(
      '-m, --method <name>',
      'the estimator, as in revisit estimate (auto, with the prior of its group)',
    )
    .option('-l, --level <share>', 'level of the bounds (0.95)')
}

export function unmasking(command: Command): Command {
  return command
    .summary('compare again what was masked as noise')
    .description(
      'Forget what was found to be noise on a page (see revisit show), so that all of it counts\nagain. The next visit compares with nothing and is no change; noise is then looked for anew,\nunless --no-noise-check says not to.',
    )
    .argument('<URL>', 'the address of the page')
    .option('--no-noise-check', 'and look for no noise on it any more')
}

export function configuring(command: Command): Command {
  return command
    .summary('the value of every setting, and where it comes from')
    .description(
      'The value of every setting, and where it comes from: the command line, the environment,\nrevisit.yaml, or the default, in this order.',
    )
}

export function unwatching(command: Command): Command {
  return filtering(
    command
      .summary('stop following pages')
      .description(
        'Stop following pages, and forget their visits and copies (--keep keeps them). Name the\npages, or choose them by the options.',
      )
      .argument('[URL...]', 'addresses of pages'),
  )
    .option('--all', 'every page of the collection')
    .option('--keep', 'only visit them no more')
    .option('-y, --yes', 'do not ask')
}

export function recalling(command: Command): Command {
  return command
    .summary('the visits of a page')
    .description('The visits of a page, the oldest first.')
    .argument('<URL>', 'the address of the page')
    .option('--last <count>', 'the newest so many, or all (50; with --json all)')
    .option('--from <date>', 'only from this date on')
    .option('--until <date>', 'only before this date')
}

export function comparing(command: Command): Command {
  return command
    .summary('what changed between two copies of a page')
    .description(
      "What changed between two copies of a page: the two newest, or from A to the newest, or from\nA to B. A copy is named by its number, 1 being the oldest that is kept, or by a time at which\nit was the current one. Shown is what was compared: without what the page's rules leave out\nand what is masked (▒ stands for it). Changed words are marked.",
    )
    .argument('<URL>', 'the address of the page')
    .argument('[A]', 'a number or a time')
    .argument('[B]', 'a number or a time')
    .option('-w, --words', 'changed words in their place: [-old-]{+new+}')
    .option(
      '--whole',
      'compare all that a reader sees, with the title, whatever rules and masks say',
    )
    .option('--raw', 'compare the sources, not the text')
    .option('--no-color', 'no colours at a terminal')
}

function filtering(command: Command): Command {
  return command
    .option('--host <host>', 'only pages of this host')
    .option('--group <name>', 'only pages of this group')
    .option('--outcome <name>', 'only pages whose last visit ended so')
    .option('--contains <text>', 'only pages with this in their address')
    .option('--due', 'only pages that are due')
}
