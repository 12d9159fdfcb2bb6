import { type Command, Option } from 'commander'
import { fileName, type SettingKey, settingKeys, settings } from '../config/settings.js'
import type { World } from '../world.js'
import * as help from './command-help.js'

/** Settings that stand in every help; the others stand in that of `run` and `config`. */
const everyHelp: ReadonlySet<SettingKey> = new Set(['database', 'collection'])

/**
 * Adds the commands that follow pages. What they need is loaded when one is
 * run: the other commands start without network and store.
 */
export function describeCrawler(
  program: Command,
  { world, ended }: { readonly world: World; readonly ended: (code: number) => void },
): void {
  const few = (command: Command) => withSettings(command, { hidden: true })
  const all = (command: Command) => withSettings(command, { hidden: false })
  const own = { hidden: true, without: ['hours', 'policy', 'objective'] as const }
  withSettings(help.watching(program.command('watch')), own).action(async (what, flags) => {
    const { watchCommand } = await import('./watch/command.js')
    ended(await watchCommand(world, { what, flags }))
  })
  few(help.unwatching(program.command('unwatch'))).action(async (addresses, flags) => {
    const { unwatchCommand } = await import('./pages/unwatch-command.js')
    ended(await unwatchCommand(world, { addresses, flags }))
  })
  all(help.running(program.command('run'))).action(async (flags) => {
    const { runCommand } = await import('./run/command.js')
    ended(await runCommand(world, flags))
  })
  few(help.visiting(program.command('visit'))).action(async (addresses, flags) => {
    const { visitCommand } = await import('./visit/command.js')
    ended(await visitCommand(world, { addresses, flags }))
  })
  all(help.serving(program.command('serve'))).action(async (flags) => {
    const { serveCommand } = await import('../serve/command.js')
    ended(await serveCommand(world, flags))
  })
  const channel = { hidden: true, without: [] as const }
  withSettings(help.notifying(program.command('notify')), channel).action(
    async (what, words, flags) => {
      const { notifyCommand } = await import('../notify/command.js')
      ended(await notifyCommand(world, { what, words, flags }))
    },
  )
  few(help.keying(program.command('key'))).action(async (what, name, flags) => {
    const { keyCommand } = await import('../serve/key-command.js')
    ended(await keyCommand(world, { what, name, flags }))
  })
  few(help.listing(program.command('list'))).action(async (flags) => {
    const { listCommand } = await import('./pages/list-command.js')
    ended(await listCommand(world, flags))
  })
  few(help.showing(program.command('show'))).action(async (address, flags) => {
    const { showCommand } = await import('./pages/show-command.js')
    ended(await showCommand(world, { address, flags }))
  })
  few(help.unmasking(program.command('unmask'))).action(async (address, flags) => {
    const { unmaskCommand } = await import('./pages/unmask-command.js')
    ended(await unmaskCommand(world, { address, flags }))
  })
  few(help.recalling(program.command('history'))).action(async (address, flags) => {
    const { historyCommand } = await import('./pages/history-command.js')
    ended(await historyCommand(world, { address, flags }))
  })
  few(help.comparing(program.command('diff'))).action(async (address, a, b, flags) => {
    const { diffCommand } = await import('./diff/command.js')
    ended(await diffCommand(world, { address, named: [a, b], flags }))
  })
  few(help.importing(program.command('import'))).action(async (file, flags) => {
    const { importCommand } = await import('./import/command.js')
    ended(await importCommand(world, { file, flags }))
  })
  few(help.exporting(program.command('export'))).action(async (to, flags) => {
    const { exportCommand } = await import('./export/command.js')
    ended(await exportCommand(world, { to, flags }))
  })
  few(help.backingUp(program.command('backup'))).action(async (file, flags) => {
    const { backupCommand } = await import('./store/commands.js')
    ended(await backupCommand(world, { file, flags }))
  })
  few(help.restoring(program.command('restore'))).action(async (file, flags) => {
    const { restoreCommand } = await import('./store/commands.js')
    ended(await restoreCommand(world, { file, flags }))
  })
  few(help.checking(program.command('check'))).action(async (flags) => {
    const { checkCommand } = await import('./store/check-command.js')
    ended(await checkCommand(world, flags))
  })
  few(help.repairing(program.command('repair'))).action(async (flags) => {
    const { repairCommand } = await import('./store/clock-repair.js')
    ended(await repairCommand(world, flags))
  })
  few(help.planning(program.command('plan'))).action(async (flags) => {
    const { planCommand } = await import('./plan/command.js')
    ended(await planCommand(world, flags))
  })
  few(help.priors(program.command('prior'))).action(async (task, file, flags) => {
    const { priorCommand } = await import('./prior/command.js')
    ended(await priorCommand(world, { task, file, flags }))
  })
  few(help.annotating(program.command('annotate'))).action(async (folder, flags) => {
    const { annotateCommand } = await import('./annotate/command.js')
    ended(await annotateCommand(world, { folder, flags }))
  })
  all(help.configuring(program.command('config'))).action(async (flags) => {
    const { configCommand } = await import('./config-command.js')
    ended(await configCommand(world, flags))
  })
}

/** The settings as options; most are left out of the help of most commands. */
function withSettings(
  command: Command,
  { hidden, without = [] }: { hidden: boolean; without?: readonly SettingKey[] },
): Command {
  command.option('-j, --json', 'for a program: JSON')
  command.option('--config <file>', 'the configuration file (default: revisit.yaml, if there)')
  for (const key of settingKeys.filter((each) => !without.includes(each))) {
    const { kind, summary, default: standard } = settings[key] as (typeof settings)['database']
    const told = `${summary} (${kind.write(standard)})`
    const option = new Option(`--${fileName(key)} <value>`, told)
    command.addOption(hidden && !everyHelp.has(key) ? option.hideHelp() : option)
  }
  // After --hints: alone it would say "on" where nothing is said, over file and environment.
  const deaf = new Option('--no-hints', 'the same as --hints off')
  command.addOption(hidden ? deaf.hideHelp() : deaf)
  if (hidden)
    command.addHelpText('after', '\nEvery setting is an option too: revisit config --help')
  return command
}
