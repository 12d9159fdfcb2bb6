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
      'How fresh the copies should be with the budget, with a fifth fewer or more requests, and with\nany other number; and how the requests are shared out over the hosts. Predicted from what is\nbelieved of each page now; --budget tries another budget.',
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
    .summary('what is thought of pages before they are visited: show, fit, export, import')
    .description(
      'What is thought of pages before they are visited. show tells it in words; fit learns it from\nthe visits of the collection, or from a log as revisit estimate reads it; export and import\nwrite and read it as JSON (with --json, export to a FILE tells what it wrote). run learns\nit anew by itself as the collection grows.',
    )
    .argument('<TASK>', 'show, fit, export or import')
    .argument('[FILE]', 'a log of visits to fit from, or the JSON file')
    .option('--group <name>', 'show: the law of this group or host')
    .option('-f, --format <name>', 'fit: csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'fit: how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'fit: zone of ISO times that name none: utc, or +02:00')
}

export function watching(command: Command): Command {
  return command
    .summary('follow pages from now on')
    .description(
      'Follow pages from now on. WHAT is the address of a page; a file or an address of a sitemap,\na sitemap index, a feed or OPML; a file with addresses one a line (lines with # are remarks, others\nthat are no address are named), or a .csv file with a column url; or - for such a list piped in.\nLists may be gzipped. An address is taken for a list if it ends in .xml, .opml, .rss, .atom,\n.txt or .gz, or says sitemap at its end; --as list or --as page overrules that.\nOptions given again for a page that is watched already replace what it had; none takes away\nits --group, --importance, --hours, --policy, --objective, --shortest, --longest, or its headers\n(--header, --auth).',
    )
    .argument('<WHAT...>', 'addresses, files, or -')
    .option('--group <name>', 'pages thought to change alike')
    .option('--importance <number>', 'what a fresh copy is worth beside the others (1)')
    .option('--hours <hours>', 'hours in UTC in which it may be visited: "mon-fri 8-18; sat 10-12"')
    .option('--policy <name>', 'a policy of its own, such as fixed:gap=1d')
    .option(
      '--objective <name>',
      'what it is visited for: freshness, delay (from a change to its notice) or changes-caught',
    )
    .option('--shortest <duration>', 'never visited again sooner than this')
    .option('--longest <duration>', 'never left longer than this')
    .option('--header <line...>', 'a header to send to the page\'s own site, such as "Cookie: a=b"')
    .option('--auth <name:password>', "basic authentication, at the page's own site")
    .option('--compare <by>', 'bytes, text, words-and-links or near-duplicate (text)')
    .option('--bits <count>', 'near-duplicate: bits of 64 that may differ (3)')
    .option('--select <css...>', 'only these parts of the page count')
    .option('--ignore <css...>', 'these parts do not count')
    .option('--ignore-text <regex...>', 'what matches in a line does not count')
    .option('--ignore-lines <regex...>', 'lines with a match do not count')
    .option('--ignore-paths <path...>', 'JSON: these do not count, such as $..updated')
    .option('--appear <words...>', 'a change counts only when one of these appears')
    .option('--disappear <words...>', 'a change counts only when one of these disappears')
    .option('--read-plainly', 'take back --compare and all from there to here')
    .option('--noise-check', 'check twice to tell noise from change (the usual)')
    .option('--no-noise-check', 'do not check twice to tell noise from change')
    .option('--browser', 'let a browser render the page, where scripts make it (needs playwright)')
    .option('--no-browser', 'no longer render it in a browser')
    .option('--as <kind>', 'take the addresses given for a page or for a list')
    .option(
      '--discover',
      'follow pages that they lead to too: links within the host, sitemaps, feeds',
    )
    .option('--no-discover', 'follow no more pages that they lead to')
    .option('--depth <count>', 'with --discover: links to follow one after another (3)')
    .option('--pages <count>', 'with --discover: pages found on a host at most (1000)')
    .option('--include <pattern...>', 'with --discover: only such addresses, as /docs/* or *.html')
    .option('--exclude <pattern...>', 'with --discover: no such addresses')
    .option('--any-host', 'take addresses of other hosts from a fetched sitemap too')
}

export function running(command: Command): Command {
  return command
    .summary('visit what is due, until stopped')
    .description(
      'Visit what is due, learn from it when to come back, and go on until stopped. At a terminal\nit shows a live view, elsewhere one line for each visit. Ctrl-C finishes what is under way;\na second one stops at once.',
    )
    .option(
      '--once',
      'end when nothing is due, or requests-per-day is used up (hosts that rest longer than longest-delay wait)',
    )
    .option('--until <time>', 'end after a while (2h), at an hour in UTC (18:30) or at a time')
    .option(
      '--barrels',
      'by what pages declare, a crawler for each barrel: daily, weekly, monthly, static',
    )
    .option('-q, --quiet', 'no line for each visit, no live view')
}

export function visiting(command: Command): Command {
  return command
    .summary('visit watched pages now')
    .description(
      'Visit watched pages now, whatever their due time, and say for each what came of it, when it is\nvisited next and why. robots.txt, delays, budgets and hours hold as ever. A host that rests for\nno longer than longest-delay is waited for; a page whose host rests longer, or that another\nprocess is visiting, is told as waiting. Exit code 1 where a page failed, was refused or waits.',
    )
    .argument('<URL...>', 'addresses of pages; follow new ones with revisit watch first')
}

export function serving(command: Command): Command {
  return command
    .summary('serve the API, and visit what is due beside it')
    .description(
      'Serve the dashboard and the HTTP API (docs at /docs), and visit what is due beside it, until\nstopped. It listens on this machine alone; on another address (--listen) every request\nfor data must bring a key, made with revisit key add NAME. It logs to standard error. Ctrl-C finishes what is under way.',
    )
    .option('--no-crawl', 'serve only: another process, or outside fetchers, make the visits')
    .option(
      '--demo',
      'serve a sample web instead of your pages, with its truth beside the estimates',
    )
    .option('--speed <times>', 'with --demo: demo seconds per real second (8640)')
    .option('--no-past', 'with --demo: begin with nothing known instead of two weeks of visits')
}

export function keying(command: Command): Command {
  return command
    .summary('keys for the API: add, list, remove')
    .description(
      'Keys for the API of revisit serve. A key is shown once, when it is added, and kept as a hash.',
    )
    .argument('<what>', 'add, list or remove')
    .argument('[NAME]', 'the name of the key')
}

export function notifying(command: Command): Command {
  return command
    .summary('who is notified of changes: webhooks, e-mail, ntfy')
    .description(
      'Channels through which run and serve tell of changes.\n\n  revisit notify add webhook https://example.org/hook --group prices\n  revisit notify add email you@example.org --digest 1d     (set smtp, too)\n  revisit notify add ntfy https://ntfy.sh/my-topic --appear "sold out"\n  revisit notify list | test NAME | on NAME | off NAME | remove NAME | deliveries [NAME]\n\nOf the conditions below all that are given must hold.',
    )
    .argument('<what>', 'add, list, test, on, off, remove or deliveries')
    .argument('[words...]', 'what to add, or the name of a channel')
    .option('--name <name>', 'its name (the host or address)')
    .option('--secret <text>', 'signs what a webhook sends (one is made)')
    .option('--token <text>', 'access token of an ntfy topic')
    .option('--digest <time>', 'gather notices for so long, and send one mail')
    .option('--on <kinds>', 'changed, gone, silent, with commas between them (changed,gone)')
    .option('--group <name>', 'only pages of this group')
    .option('--host <host>', 'only pages of this host')
    .option('--url <pattern>', 'only these addresses; * stands for any text')
    .option('--share <share>', 'only changes of so much of what is compared, such as 5%')
    .option('--appear <text...>', 'only changes in which one of these is new in what is compared')
    .option('--disappear <text...>', 'only changes in which one of these has gone')
    .option('--silent-for <time>', 'tell too when a page has not changed for so long')
}

export function importing(command: Command): Command {
  return command
    .summary('record visits that were made elsewhere')
    .description(
      'Record visits that were made elsewhere, from a log as revisit estimate reads it: CSV, JSON\nlines, CDX, CDXJ (each gzipped or not) or Parquet. Their pages are followed from now on.\nVisits of a page that are not after those recorded already are left out. Taken are url, at,\nchanged (or digest), last_modified and unchanged_for; other columns, such as status and\nfingerprint, are not.',
    )
    .argument('[FILE]', 'the log of visits; piped in without it, or with -')
    .option('-f, --format <name>', 'csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'zone of ISO times that name none: utc, or +02:00')
    .option('--strict', 'stop at the first bad line')
}

export function exporting(command: Command): Command {
  return command
    .summary('visits as CSV or JSON lines, a WARC archive, or a folder of copies')
    .description(
      'Write what is kept: visits as CSV or JSON lines (which revisit estimate and import read); a\nWARC archive with a response for each copy and a revisit record for each visit that found it\nunchanged; or a folder of the newest copies with an index.html. CSV and JSON lines go to\nstandard output without TO, which then holds nothing else; with TO, --json tells there what was\nwritten: file, format, how many visits, records or copies, and bytes. An older export gives way;\na database never does.',
    )
    .argument('[TO]', 'a file, or for folder a folder')
    .option(
      '-f, --format <name>',
      'csv, jsonl, warc or folder; by the ending of the file, gzipped if that is .gz',
    )
    .option('--from <date>', 'only visits from this date on')
    .option('--until <date>', 'only visits before this date')
}

export function backingUp(command: Command): Command {
  return command
    .summary('copy the store to a file, while work goes on')
    .description(
      'Copy the store as it is now to a new file, while work goes on, and check the copy.',
    )
    .argument('<FILE>', 'the file to make')
}

export function restoring(command: Command): Command {
  return command
    .summary('put a backup in the place of the store')
    .description(
      'Put a backup in the place of the store, once it is found whole. A store in use is left alone.',
    )
    .argument('<FILE>', 'the backup')
    .option('--replace', 'replace the store that is there')
}

export function checking(command: Command): Command {
  return command
    .summary('whether the store is in order')
    .description('Whether the store is in order; reads all of it. Exit code 5 where it is not.')
}

export function repairing(command: Command): Command {
  return command
    .summary('take back what a clock that was ahead wrote')
    .description(
      "Take back times that are still to come, as a clock that was ahead wrote them: such visits are moved to now, and their pages are due. First see that this machine's clock is right.",
    )
    .option('--yes', 'do not ask')
}

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

/** Options and help of the commands, in the order a person meets them. */
