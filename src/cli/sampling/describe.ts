import type { Command } from 'commander'
import { exitCodeHelp } from '../exit-code.js'

/** The options and the help of `revisit sampling`. */
export function describeSampling(command: Command): Command {
  return command
    .summary('how long and how often to sample a page')
    .description(
      'How long and how often a page must be sampled for its change period to be known\nwithin an error, from the known variance of the estimators.',
    )
    .option('-p, --period <duration>', 'the change period you expect: 10d, 36h, 2w, 5min')
    .option('-e, --error <percent>', 'the error you allow, such as 20%')
    .option('--every <duration>', 'one gap between visits only')
    .option('--for <duration>', 'sample no longer than this; without --error, just as long')
    .option('--last-modified', 'visits tell the age of the content, not only whether it changed')
    .option(
      '-l, --level <share>',
      'the share of estimates within the error (default: one sd, 0.68)',
    )
    .option('-j, --json', 'JSON, durations in seconds')
    .addHelpText(
      'after',
      `
Seen as changed or unchanged (the irregular MLE), the relative error is
sqrt((e^x - 1) / n) / x for n gaps of x change periods: the limit for many visits.
From content ages (the mean content age) it is exact.

Examples:
  revisit sampling --period 10d --error 20%
  revisit sampling --period 10d --error 20% --for 90d
  revisit sampling --period 3d --every 24h --for 120d --last-modified
${exitCodeHelp}`,
    )
}
