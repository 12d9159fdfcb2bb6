import type { Command } from 'commander'

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
    .option('--noise-check', 'look again to tell noise from change (the usual)')
    .option('--no-noise-check', 'do not look again to tell noise from change')
    .option('--browser', 'let a browser draw the page, where scripts make it (needs playwright)')
    .option('--no-browser', 'let none draw it any more')
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
    .summary('who is told of changes: webhooks, e-mail, ntfy')
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
