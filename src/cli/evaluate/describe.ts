import type { Command } from 'commander'
import { exitCodeHelp } from '../exit-code.js'
import { evaluateLimits } from './effort.js'

/** The options and the help of `revisit evaluate`. */
export function describeEvaluate(command: Command): Command {
  return command
    .summary('how policies do on recorded change histories')
    .description(
      'Replays recorded changes of real pages under a budget of visits, with every policy there\nis and with your own, and shows how fresh the copies were and how late changes were noticed.',
    )
    .option('--histories <file>', 'when pages changed: CSV object_id,unix_seconds (gzipped or not)')
    .option(
      '--objects <file>',
      'the pages: CSV object_id,first,observed_until and, if known, source,cadence_s',
    )
    .option('--own', 'replay what your own collection recorded instead; see below')
    .option('--database <file>', 'with --own: the store (default: revisit.db)')
    .option('--collection <name>', 'with --own: the collection (default: default)')
    .option('--config <file>', 'with --own: the configuration file')
    .option('--budget <list>', 'visits a page and day, such as 0.05,0.2,1 (the default)')
    .option('--days <count>', 'how long a stretch of each source is replayed (default: 365)')
    .option(
      '--seed <list>',
      'the same seed gives the same results; of several, such as 1,2,3, means (default: 1)',
    )
    .option(
      '--policies <names>',
      'only these, such as equal,nutch or auto-delay (another objective); "list" describes all',
    )
    .option(
      '--policy <file>',
      'a policy of your own besides: a JavaScript file; again for more; see below',
      (file: string, before: readonly string[] = []) => [...before, file],
    )
    .option(
      '--by-source <names>',
      'policies in the tables by source, all or none (default: equal, lambda-crawl, auto and yours)',
    )
    .option(
      '--scores <what>',
      'freshness of the policies (the default), or log-loss: how well estimators predict visits',
    )
    .option('--last-modified', 'pages tell their true Last-Modified, not only whether they changed')
    .option('-j, --json', 'JSON; durations in seconds')
    .option('--html <file>', 'write a report with figures')
    .option('-y, --yes', `go on with more than ${evaluateLimits.words}`)
    .addHelpText('after', `${columns}\n${treatment}\n${own}\n${examples}\n${exitCodeHelp}`)
}

const columns = `
Columns:
  fresh     share of the time in which the copies equalled the pages, and its standard error
            by source (pages of one source are alike)
  over equal  freshness less that of equal visits, and the standard error of that difference,
            which is what to compare policies by: all meet the same changes
  after 30d freshness without the first 30 days of each page
  copy age  mean time since a copy went stale, 0 while it is fresh
  delay     mean time from a change to the visit that noticed it, over all changes: several in
            one gap are each noticed by the visit that ends it, and a change that no visit
            noticed counts to the end of the page's record; 90% by: nine in ten were noticed
            within that time
  caught    share of the changes that a visit noticed; several in one gap count once
  needless  share of the visits that found nothing new
  used      visits a page and day that were made, beyond the first
  gaps x    the one factor on all gaps by which a rule without a budget keeps it, found in
            hindsight: its best case; - where a rule keeps the budget by itself, and where the
            factor is not known, as in a history too short for the budget`

const treatment = `
Without --objects all pages are one source, each followed from its first time (no change)
to its last.
Of each source the stretch with most page-days is taken. Pages of one source keep their
alignment in time. A change found by polling (cadence_s above 0) is put back by a seeded
draw to somewhere in the poll's gap; pages with exact times are also shown apart, pooled
from the same runs. Tables by source have the error of leaving out one page at a time; where
pages change together, it is too small. A policy that predicts how fresh its copies will be
has a table of what it predicted and what came true. With several seeds every run is made for
each, and JSON has the standard deviation over them (spread).
What is learned beforehand (priors) is fitted on the other sources.

With --own the changes are those that your visits found. A change is known only to lie
between two visits: it is put where a believable Last-Modified says, else by a seeded draw
somewhere in the gap. Several changes in one gap were seen as one, so a policy that visits
more often than you did cannot show what it would have found; each host or group is a source.`

const own = `
A policy of your own is a file with either of
  export default { name: 'mine', nextGap: (page) => seconds }
  export default { name: 'mine', rates: (pages, budget) => visitsADay }
nextGap is asked after each visit and scaled to the budget in hindsight, as the other rules are;
rates shares the day's visits out over all pages and keeps it. A page has at, visits, changes,
gap, changed, plannedGap, changePeriod (estimated; or null), contentAge (or null), random() and
memory, an object for you to keep things in. Times are in seconds. The file is run with all the
rights of this command: name only files that you trust. See docs/benchmark.md.`

const examples = `
Examples:
  revisit evaluate --histories updates.csv.gz --objects objects.csv
  revisit evaluate --histories updates.csv --objects objects.csv --budget 0.2 --policies equal,nutch,lambda-crawl
  revisit evaluate --histories updates.csv --objects objects.csv --policies equal,auto --policy ./mine.js
  revisit evaluate --own --budget 0.2,1 --policies equal,nutch,auto
  revisit evaluate --policies list`
