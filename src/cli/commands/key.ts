import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { Keys } from '../../server/safety/keys.js'
import { type CommandGroup, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { answer, jsonArray } from '../text/json.js'

/** `revisit key add|list|remove`: who may use the API. */
export const keyCommand: CommandGroup = {
  description:
    'Keys for the API of revisit serve. A key is shown once, when it is added, and kept as a hash.',
  subcommands: {
    add: {
      summary: 'make a key, and show it this once',
      command: storeCommand({
        description: 'Make a key for the API, and show it: this once, since only its hash is kept.',
        arguments: [['<NAME>', 'what to call it']],
        run: (environment, [name], flags) =>
          withKeys(environment, flags, async (keys, { crawler }) => {
            const key = await keys.add(name, crawler.clock.now())
            answer(environment, { json: flags.json, record: { name, key }, text: `${key}\n` })
          }),
      }),
    },
    list: {
      summary: 'the names of the keys',
      command: storeCommand({
        description: 'The names of the keys, and when they were made.',
        run: (environment, _, flags) =>
          withKeys(environment, flags, async (keys) => {
            const all = (await keys.list()).map(({ name, madeAt }) => ({ name, madeAt }))
            const lines = all.map(({ name, madeAt }) => `${name}  made ${humanTime(madeAt)}\n`)
            const none = 'no keys; revisit key add NAME makes one\n'
            environment.out.write(
              flags.json === true ? jsonArray(all) : lines.length === 0 ? none : lines.join(''),
            )
          }),
      }),
    },
    remove: {
      summary: 'take a key away',
      command: storeCommand({
        description: 'Take a key away: whoever uses it is refused from now on.',
        arguments: [['<NAME>', 'the name of the key']],
        run: (environment, [name], flags) =>
          withKeys(environment, flags, async (keys) => {
            if (!(await keys.remove(name)))
              throw new OptionError('no-key', `there is no key ${name}`)
            const text = `${name} removed\n`
            answer(environment, { json: flags.json, record: { removed: name }, text })
          }),
      }),
    },
  },
}

async function withKeys(
  environment: Environment,
  flags: CrawlerFlags,
  task: (keys: Keys, made: Configured) => Promise<void>,
): Promise<number> {
  const made = await configured(environment, flags)
  const { collection } = made.config
  await withStore(made, (store) => task(new Keys({ store, collection }), made))
  return exitCode.done
}
