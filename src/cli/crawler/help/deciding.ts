import type { Command } from 'commander'

export function annotating(command: Command): Command {
  return command
    .summary("write into a site's pages how often they change")
    .description(
      'Count the changes of each page of a site, week by week, and write into its head what\ncrawlers can go by: <meta name="Change-Frequency" content="PERIODIC=7"> (Hattab). A page that\nnever changed is STATIC; one with as many changes every week is PERIODIC, with the days\nbetween two; any other is nonuniform, with the days to the next. Nothing else in a file\nchanges. What was counted is kept in FOLDER/.revisit-annotate.json: run it after each\npublication, or daily. With --base the changes are those that revisit run saw.',
    )
    .argument('[FOLDER]', 'the folder of the site')
    .option('--store', 'without FOLDER: print the tags of the pages that are watched')
    .option('--base <url>', 'take the past from the store; FOLDER is served under this address')
    .option('--dry-run', 'write nothing, show what would be written')
    .option(
      '--print',
      'write no page: print its path, a tab and its tag, and keep what was counted',
    )
    .option('--weeks <count>', 'whole weeks compared, and needed before a tag is written (4)')
    .option('--literal', "post the weekly count as it is, as the paper's rule has it")
    .option('--keep', 'leave tags that are there as they are')
    .option('--touch', 'give files that are written the time of now (they keep theirs)')
    .addHelpText(
      'after',
      `
Examples:
  revisit annotate public
  revisit annotate public --dry-run
  revisit annotate public --base https://example.org/
  revisit annotate --store --json

Exit codes: 0 done; 1 no page; 2 wrong options or a damaged record; 3 a file cannot be read or written`,
    )
}

export function planning(command: Command): Command {
  return command
    .summary('what the budget of requests brings, and what more or fewer would')
    .description(
      'How fresh the copies should be with the budget, with a fifth fewer or more requests, and with\nany other number; and how the requests are shared out over the hosts. Foretold from what is\nbelieved of each page now; --budget tries another budget.',
    )
    .option('--sample <count>', 'work it out on about so many pages, or all (3000)')
    .option('--csv <file>', 'write the curve and the hosts as CSV')
    .option('--html <file>', 'write a page with the curve')
    .addHelpText(
      'after',
      `
Examples:
  revisit plan
  revisit plan --budget 0.2/page
  revisit plan --budget 5000 --json`,
    )
}

export function priors(command: Command): Command {
  return command
    .summary('what is thought of pages before they are looked at: show, fit, export, import')
    .description(
      'What is thought of pages before they are looked at. show tells it in words; fit learns it from\nthe visits of the collection, or from a log as revisit estimate reads it; export and import\nwrite and read it as JSON (with --json, export to a FILE tells what it wrote). run learns\nit anew by itself as the collection grows.',
    )
    .argument('<TASK>', 'show, fit, export or import')
    .argument('[FILE]', 'a log of visits to fit from, or the JSON file')
    .option('--group <name>', 'show: the law of this group or host')
    .option('-f, --format <name>', 'fit: csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'fit: how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'fit: zone of ISO times that name none: utc, or +02:00')
}
