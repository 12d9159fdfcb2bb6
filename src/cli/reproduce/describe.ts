import type { Command } from 'commander'
import { exitCodeHelp } from '../exit-code.js'

/** The options and the help of `revisit reproduce`. */
export function describeReproduce(command: Command): Command {
  return command
    .summary('run the papers again, and see which claims hold')
    .description(
      'Runs the papers again and compares every claim with its printed numbers:\nholds, holds in part, does not hold.',
    )
    .argument('[paper...]', 'the papers to run; all unless said')
    .option('--quick', 'smaller runs: the same verdicts in seconds')
    .option('--html <file>', 'a report with all verdicts, figures and tables')
    .option('--out <folder>', 'write each figure as an SVG file, in a folder for each paper')
    .option('-j, --json', 'JSON: claims, findings and tables')
    .option('--seed <number>', 'another draw of chance (default: 1)')
    .option('--histories <file>', 'real change times: object_id,unix_seconds (CSV, may be gzip)')
    .option('--objects <file>', 'beside them: object_id,first,observed_until,source,cadence_s')
    .option('--threads <number>', 'papers that run at the same time (default: 2)')
    .addHelpText(
      'after',
      `
Without --histories, updates.csv.gz and objects.csv are looked for in
$REVISIT_SHARED/traces, then in ../shared/traces beside the project; where they
are absent, the claims that need them are left out.

Examples:
  revisit reproduce --quick
  revisit reproduce malcolm-armitage hattab --html report.html
${exitCodeHelp}`,
    )
}
