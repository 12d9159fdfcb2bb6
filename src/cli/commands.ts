import type { CliCommand, CommandEntry, CommandGroup } from './command.js'

/**
 * Every command, in the order a person meets them. A command's code is loaded
 * when it is asked for: `revisit --help` needs nothing but this list.
 */
export const commands: readonly CommandEntry[] = [
  ...group('Follow pages:', {
    watch: ['follow pages from now on', () => import('./commands/watch/command.js')],
    unwatch: ['stop following pages', () => import('./commands/unwatch.js')],
    run: ['visit what is due, until stopped', () => import('./commands/run.js')],
    serve: [
      'dashboard and API, and visits of what is due beside them',
      () => import('./commands/serve/command.js'),
    ],
    worker: [
      'visits alone, as one of many processes on one store',
      () => import('./commands/worker.js'),
    ],
    frontier: [
      'the URLFrontier API: crawlers such as StormCrawler fetch, Revisit decides when',
      () => import('./commands/frontier.js'),
    ],
    visit: ['visit watched pages now', () => import('./commands/visit.js')],
    notify: [
      'who is notified of changes: mail, chat, push, webhooks',
      () => import('./commands/notify.js'),
    ],
  }),
  ...group('Look at what was found:', {
    list: ['the pages that are followed', () => import('./commands/list.js')],
    show: [
      'one page: how often it changes, when it is next visited and why',
      () => import('./commands/show.js'),
    ],
    changes: [
      'what changed, newest first, and what nobody has seen yet',
      () => import('./commands/changes.js'),
    ],
    history: ['the visits of a page', () => import('./commands/history.js')],
    diff: ['what changed between two copies of a page', () => import('./commands/diff.js')],
    unmask: ['compare again what was masked as noise', () => import('./commands/unmask.js')],
    plan: [
      'what the budget of requests brings, and more or fewer would',
      () => import('./commands/plan/command.js'),
    ],
    prior: [
      'what is assumed of pages before they are visited',
      () => import('./commands/prior/command.js'),
    ],
  }),
  ...group('Look after the store:', {
    status: [
      'who is at work on it, how far behind, and what a request costs',
      () => import('./commands/status.js'),
    ],
    import: ['record visits that were made elsewhere', () => import('./commands/import.js')],
    fold: ['learn from a log too large for a store, in parts', () => import('./commands/fold.js')],
    export: [
      'visits as CSV or JSON lines, a WARC archive, a folder of copies',
      () => import('./commands/export.js'),
    ],
    backup: ['copy the store to a file, while work goes on', () => import('./commands/store.js')],
    restore: ['put a backup in the place of the store', () => import('./commands/store.js')],
    move: ['all of it to another store: a file, or PostgreSQL', () => import('./commands/move.js')],
    check: ['whether the store is in order', () => import('./commands/store.js')],
    repair: ['take back what a clock that was ahead wrote', () => import('./commands/store.js')],
  }),
  ...group('For others:', {
    key: ['keys for the API: add, list, remove', () => import('./commands/key.js')],
    password: [
      'the password by which a person signs in: set, remove',
      () => import('./commands/password.js'),
    ],
    annotate: [
      "write into a site's own pages how often they change",
      () => import('./commands/annotate.js'),
    ],
  }),
  ...group('Study how pages change:', {
    estimate: [
      'how often each page of a log changes',
      () => import('./commands/estimate/command.js'),
    ],
    sums: [
      'add a day of visits to sums, for estimates without the logs',
      () => import('./commands/sums.js'),
    ],
    policies: [
      'the policies there are, with parameters and papers',
      () => import('./commands/methods.js'),
    ],
    estimators: [
      'the estimators and learners there are, with papers',
      () => import('./commands/methods.js'),
    ],
    sampling: [
      'how long and how often to sample a page',
      () => import('./commands/sampling/command.js'),
    ],
    simulate: [
      'how a policy does on pages that change by a known law',
      () => import('./commands/simulate/command.js'),
    ],
    evaluate: [
      'how policies do on recorded change histories',
      () => import('./commands/evaluate/command.js'),
    ],
    histories: [
      'make recorded change histories, for evaluate',
      () => import('./commands/histories.js'),
    ],
    laws: [
      'which laws the update gaps of recorded pages follow',
      () => import('./commands/laws.js'),
    ],
    reproduce: [
      'run the papers again, and see which claims hold',
      () => import('./commands/reproduce.js'),
    ],
  }),
  ...group('About revisit:', {
    demo: ['the loop at work on a living sample web', () => import('./commands/demo/command.js')],
    config: [
      'the value of every setting, and where it comes from',
      () => import('./commands/config.js'),
    ],
    completion: [
      'a script by which bash, zsh or fish completes commands',
      () => import('./commands/completion.js'),
    ],
    help: [
      'help for a command; help settings lists the settings',
      () => import('./commands/help.js'),
    ],
  }),
]

/** `list` is the `listCommand` of its module: the compiler sees to it. */
type Listed<Name extends string> = readonly [
  summary: string,
  load: () => Promise<Readonly<Record<`${Name}Command`, CliCommand | CommandGroup>>>,
]

function group<Names extends string>(
  heading: string,
  listed: { readonly [Name in Names]: Listed<Name> },
): CommandEntry[] {
  return (Object.keys(listed) as Names[]).map((name) => {
    const [summary, load] = listed[name]
    return { name, group: heading, summary, load: async () => (await load())[`${name}Command`] }
  })
}
