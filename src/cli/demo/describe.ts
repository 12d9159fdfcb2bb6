import type { Command } from 'commander'
import { exitCodeHelp } from '../exit-code.js'
import { defaultBudget, defaultSpeed } from './settings.js'

/** The options and the help of `revisit demo`. */
export function describeDemo(command: Command): Command {
  return command
    .summary('the loop at work on a living sample web')
    .description(
      'Starts a sample web on this machine, 150 pages on five sites that change by known laws,\nand follows it with the real engine, store and HTTP, faster than the wall clock.',
    )
    .option('--speed <factor>', `demo seconds in a real second (default: ${defaultSpeed})`)
    .option('--seed <number>', 'another web, from another number (default: 1)')
    .option(
      '--for <duration>',
      'end after so much real time: 30s, 2min; with --compare, so much demo time: 60d (default: see below)',
    )
    .option('--budget <number>', `requests a page and day (default: ${defaultBudget})`)
    .option('--compare', 'spend the budget in four ways on the same web, side by side')
    .option('--no-hints', "take no notice of publishers' hints, and follow no sitemap or feed")
    .option('--once-summary', 'nothing but the summary at the end')
    .option('-j, --json', 'the summary as JSON; times in demo seconds')
    .option('--folder <dir>', 'keep the store there, and go on from it the next time')
    .option('--port <number>', 'port of the first site; the others follow (default: any free)')
    .addHelpText(
      'after',
      `
On a terminal the view is drawn anew every second, and Ctrl-C ends the demo with its
summary. Elsewhere a line tells every ten seconds how far it is; without --for the
demo then ends by itself after two minutes, as it does with --json or --once-summary.
--compare follows the same web by four policies, one after the other, each for 60 days
unless --for says otherwise, by a clock that waits for requests: a busy machine changes
nothing. Nothing is requested but pages of this machine, and the store is deleted at the end
unless --folder names one.

Examples:
  revisit demo
  revisit demo --for 2min --json
  revisit demo --speed 86400 --seed 7
  revisit demo --compare --for 60d --budget 1
  revisit demo --folder demo-store
${exitCodeHelp}`,
    )
}
