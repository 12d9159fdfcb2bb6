import type { Command } from 'commander'
import { rateEstimators } from '../../estimate/index.js'
import { exitCodeHelp } from '../exit-code.js'

/** The options and the help of `revisit estimate`. */
export function describeEstimate(command: Command): Command {
  return command
    .summary('how often each page of a log changes')
    .description(
      'How often each page of a log of visits changes, with bounds. FILE is CSV, JSON lines,\nCDX, CDXJ (each gzipped or not) or Parquet; without FILE, or with -, the log is piped in.',
    )
    .argument('[FILE]', 'the log of visits')
    .option('-m, --method <name>', 'the estimator (default: irregular-mle)')
    .option('-c, --compare', 'all estimators side by side')
    .option('-l, --level <share>', 'level of the bounds (default: 0.95)')
    .option('-j, --json', 'a JSON array; times in seconds, rates per second')
    .option(
      '-o, --order <by>',
      'url, period (fastest first) or changes; as in the log unless given',
    )
    .option('-n, --top <count>', 'only the first pages')
    .option('-f, --format <name>', 'csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'zone of ISO times that name none: utc, or +02:00')
    .option('--now <time>', 'the present, after which nothing was seen (default: the clock)')
    .option(
      '--html <file>',
      'also write a report with figures: one HTML file that needs nothing else',
    )
    .option('--figures <count>', 'how many pages of the report have figures (default: 20)')
    .option('--distribution', 'how old the content is and how long it stays, as distributions')
    .option('--trend', 'whether the page changes faster or slower than it did, and when next')
    .option('--between <dates...>', 'how often it changed from one date to another: two dates')
    .option('--months', 'how often it changed in each month, and in the same month over the years')
    .option('--strict', 'stop at the first bad line')
    .option('--sort', "put each page's visits in order of time; needs more memory")
    .option('--sorted', 'the log is sorted by URL: stream it in constant memory')
    .addHelpText('after', `${methods()}\n${formats}\n${examples}\n${exitCodeHelp}`)
}

function methods(): string {
  const widest = Math.max(...rateEstimators.map(({ name }) => name.length))
  const lines = rateEstimators.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`)
  return `\nMethods:\n${lines.join('\n')}`
}

const formats = `
A CSV has a header and the columns url, at, and changed or digest, in any order;
last_modified is used if it is there, and calm_for: the seconds after the visit before
for which the page had not changed, by a list. Other columns are not. changed is true or
false (1 or 0, yes or no) or changed, unchanged, first, failed, gone, refused. A new
digest is a change; an empty one is a failed visit. JSON lines have the same keys.
Times are Unix seconds, milliseconds, or ISO 8601 with its zone. Visits of a page
go forward in time. A line that is none of this is named on stderr, and skipped.

An estimate in brackets stands in for what the visits could not tell (no change seen):
trust its bounds. Where every visit found a change there is no number (null in JSON), only
how long it takes at most; a page seen once has none of its own, only its group's.`

const examples = `
Examples:
  revisit estimate visits.csv
  revisit estimate visits.csv.gz --order period --top 20
  revisit estimate captures.cdx --method posterior --level 0.9
  zcat log.jsonl.gz | revisit estimate --compare
  revisit estimate visits.csv --html report.html
  revisit estimate visits.csv --between 2026-01-01 2026-02-01
  revisit estimate visits.csv --json | jq '.[] | select(.verdict == "ok") | .url'`
