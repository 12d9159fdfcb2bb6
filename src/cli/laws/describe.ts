import type { Command } from 'commander'
import { ageingMeaning, nearPoisson } from '../../estimate/index.js'
import { exitCodeHelp } from '../exit-code.js'

/** The options and the help of `revisit laws`. */
export function describeLaws(command: Command): Command {
  return command
    .summary('which laws the update gaps of recorded pages follow')
    .description(
      'The share of recorded pages whose update gaps are bursty, regular or near Poisson.',
    )
    .option('--histories <file>', 'when pages changed: CSV object_id,unix_seconds (gzipped or not)')
    .option(
      '--objects <file>',
      'the pages: CSV object_id,first,observed_until and, if known, source,cadence_s',
    )
    .option('--seed <number>', 'seeds the draw by which polled changes are put back (default: 1)')
    .option('-j, --json', 'JSON')
    .addHelpText('after', `${classes}\n${exitCodeHelp}`)
}

const classes = `
A Weibull law is fitted to each page's gaps between changes, the last one still open:
  NWU           shape below ${nearPoisson.low}. ${ageingMeaning.NWU}
  NBU           shape above ${nearPoisson.high}. ${ageingMeaning.NBU}
  near Poisson  in between. ${ageingMeaning.memoryless}
Pages with too few changes for a fit are counted and left out.

Examples:
  revisit laws --histories updates.csv.gz --objects objects.csv`
