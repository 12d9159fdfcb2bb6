import { text } from 'node:stream/consumers'
import { OptionError } from '../../model/errors.js'
import { Password } from '../../server/safety/password.js'
import { type CommandGroup, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { answer } from '../text/json.js'

/** `revisit password set|remove`: how a person signs in. */
export const passwordCommand: CommandGroup = {
  description:
    'The password by which a person signs in to the dashboard of a revisit serve that asks who they are, as it does off loopback. It is kept as a hash by scrypt. Programs have keys: revisit key add NAME.',
  subcommands: {
    set: {
      summary: 'set it: asked for at a terminal, or piped in',
      command: storeCommand({
        description:
          'Set the password, in place of one that was: browsers that signed in with that are signed out. It is asked for twice at a terminal and not shown, or read from standard input, never from the command line, which others can see.',
        run: (environment, _, flags) =>
          withPassword(environment, flags, async (password, { crawler }) => {
            await password.set(await given(environment), crawler.clock.now())
            const record = { set: true }
            answer(environment, { json: flags.json, record, text: 'the password is set\n' })
          }),
      }),
    },
    remove: {
      summary: 'take it away: only keys are left',
      command: storeCommand({
        description: 'Take the password away: browsers that signed in with it are signed out.',
        run: (environment, _, flags) =>
          withPassword(environment, flags, async (password) => {
            if (!(await password.remove()))
              throw new OptionError('no-password', 'no password is set')
            const record = { removed: true }
            answer(environment, { json: flags.json, record, text: 'the password is removed\n' })
          }),
      }),
    },
  },
}

async function given({ input, askSecret }: Environment): Promise<string> {
  if (askSecret !== undefined) {
    const first = await askSecret('Password: ')
    if ((await askSecret('The same again: ')) !== first)
      throw new OptionError('bad-password', 'the two are not the same; nothing was changed')
    return first
  }
  if (input === undefined)
    throw new OptionError('no-password', 'pipe the password in, or give it at a terminal')
  return (await text(input.chunks)).replace(/\r?\n$/, '')
}

async function withPassword(
  environment: Environment,
  flags: CrawlerFlags,
  task: (password: Password, made: Configured) => Promise<void>,
): Promise<number> {
  const made = await configured(environment, flags)
  const { collection } = made.config
  await withStore(made, (store) => task(new Password({ store, collection }), made))
  return exitCode.done
}
