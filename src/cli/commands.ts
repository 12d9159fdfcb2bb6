import type { CommandEntry } from './command.js'

const groups = {
  follow: 'Follow pages:',
  look: 'Look at what was found:',
  keep: 'Look after the store:',
  others: 'For others:',
  study: 'Study how pages change:',
  about: 'About revisit:',
} as const

/**
 * Every command, in the order a person meets them. A command's code is loaded
 * when it is asked for: `revisit --help` needs nothing but this list.
 */
export const commands: readonly CommandEntry[] = [
  {
    name: 'watch',
    group: groups.follow,
    summary: 'follow pages from now on',
    load: async () => (await import('./commands/watch/command.js')).watchCommand,
  },
  {
    name: 'unwatch',
    group: groups.follow,
    summary: 'stop following pages',
    load: async () => (await import('./commands/unwatch.js')).unwatchCommand,
  },
  {
    name: 'run',
    group: groups.follow,
    summary: 'visit what is due, until stopped',
    load: async () => (await import('./commands/run.js')).runCommand,
  },
  {
    name: 'serve',
    group: groups.follow,
    summary: 'dashboard and API, and visits of what is due beside them',
    load: async () => (await import('./commands/serve/command.js')).serveCommand,
  },
  {
    name: 'visit',
    group: groups.follow,
    summary: 'visit watched pages now',
    load: async () => (await import('./commands/visit.js')).visitCommand,
  },
  {
    name: 'notify',
    group: groups.follow,
    summary: 'who is notified of changes: webhooks, e-mail, ntfy',
    load: async () => (await import('./commands/notify.js')).notifyCommand,
  },
  {
    name: 'list',
    group: groups.look,
    summary: 'the pages that are followed',
    load: async () => (await import('./commands/list.js')).listCommand,
  },
  {
    name: 'show',
    group: groups.look,
    summary: 'one page: how often it changes, when it is next visited and why',
    load: async () => (await import('./commands/show.js')).showCommand,
  },
  {
    name: 'history',
    group: groups.look,
    summary: 'the visits of a page',
    load: async () => (await import('./commands/history.js')).historyCommand,
  },
  {
    name: 'diff',
    group: groups.look,
    summary: 'what changed between two copies of a page',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  {
    name: 'unmask',
    group: groups.look,
    summary: 'compare again what was masked as noise',
    load: async () => (await import('./commands/unmask.js')).unmaskCommand,
  },
  {
    name: 'plan',
    group: groups.look,
    summary: 'what the budget of requests brings, and more or fewer would',
    load: async () => (await import('./commands/plan/command.js')).planCommand,
  },
  {
    name: 'prior',
    group: groups.look,
    summary: 'what is assumed of pages before they are visited',
    load: async () => (await import('./commands/prior.js')).priorCommand,
  },
  {
    name: 'import',
    group: groups.keep,
    summary: 'record visits that were made elsewhere',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  {
    name: 'export',
    group: groups.keep,
    summary: 'visits as CSV or JSON lines, a WARC archive, a folder of copies',
    load: async () => (await import('./commands/export.js')).exportCommand,
  },
  {
    name: 'backup',
    group: groups.keep,
    summary: 'copy the store to a file, while work goes on',
    load: async () => (await import('./commands/store.js')).backupCommand,
  },
  {
    name: 'restore',
    group: groups.keep,
    summary: 'put a backup in the place of the store',
    load: async () => (await import('./commands/store.js')).restoreCommand,
  },
  {
    name: 'check',
    group: groups.keep,
    summary: 'whether the store is in order',
    load: async () => (await import('./commands/store.js')).checkCommand,
  },
  {
    name: 'repair',
    group: groups.keep,
    summary: 'take back what a clock that was ahead wrote',
    load: async () => (await import('./commands/store.js')).repairCommand,
  },
  {
    name: 'key',
    group: groups.others,
    summary: 'keys for the API: add, list, remove',
    load: async () => (await import('./commands/key.js')).keyCommand,
  },
  {
    name: 'annotate',
    group: groups.others,
    summary: "write into a site's own pages how often they change",
    load: async () => (await import('./commands/annotate.js')).annotateCommand,
  },
  {
    name: 'estimate',
    group: groups.study,
    summary: 'how often each page of a log changes',
    load: async () => (await import('./commands/estimate/command.js')).estimateCommand,
  },
  {
    name: 'sampling',
    group: groups.study,
    summary: 'how long and how often to sample a page',
    load: async () => (await import('./commands/sampling.js')).samplingCommand,
  },
  {
    name: 'simulate',
    group: groups.study,
    summary: 'how a policy does on pages that change by a known law',
    load: async () => (await import('./commands/simulate/command.js')).simulateCommand,
  },
  {
    name: 'evaluate',
    group: groups.study,
    summary: 'how policies do on recorded change histories',
    load: async () => (await import('./commands/evaluate/command.js')).evaluateCommand,
  },
  {
    name: 'histories',
    group: groups.study,
    summary: 'make recorded change histories, for evaluate',
    load: async () => (await import('./commands/histories.js')).historiesCommand,
  },
  {
    name: 'laws',
    group: groups.study,
    summary: 'which laws the update gaps of recorded pages follow',
    load: async () => (await import('./commands/laws.js')).lawsCommand,
  },
  {
    name: 'reproduce',
    group: groups.study,
    summary: 'run the papers again, and see which claims hold',
    load: async () => (await import('./commands/reproduce.js')).reproduceCommand,
  },
  {
    name: 'demo',
    group: groups.about,
    summary: 'the loop at work on a living sample web',
    load: async () => (await import('./commands/demo/command.js')).demoCommand,
  },
  {
    name: 'config',
    group: groups.about,
    summary: 'the value of every setting, and where it comes from',
    load: async () => (await import('./commands/config.js')).configCommand,
  },
  {
    name: 'completion',
    group: groups.about,
    summary: 'a script by which bash, zsh or fish completes commands',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
  {
    name: 'help',
    group: groups.about,
    summary: 'help for a command; help settings lists the settings',
    load: async () => (await import('./commands/help.js')).helpCommand,
  },
]
