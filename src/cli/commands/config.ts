import { OptionError, RevisitError } from '../../model/errors.js'
import { isServerAddress } from '../../store/postgres/server/address.js'
import { storeCommand } from '../command.js'
import { type Configured, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import {
  type Configuration,
  fileName,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
} from '../settings/settings.js'
import { jsonText } from '../text/json.js'
import { columns, tableText } from '../text/table.js'

/** `revisit config`: the value of every setting, and where it comes from. */
export const configCommand = storeCommand({
  description:
    'The value of every setting, and where it comes from: the command line, the environment, revisit.yaml, or the default, in this order. --set keeps some in the store, over all of these, for every process on it: those that run follow within seconds, and what is set holds as long as the configuration says what it says now.',
  options: [
    ['--set <name=value>', 'set one for all processes, such as contact=you@example.org', 'again'],
    ['--unset <name>', 'go back to what the configuration says', 'again'],
  ],
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    const changes = changesOf(flags)
    const isChange = Object.keys(changes).length > 0
    if (isChange)
      await withStore(made, (store) =>
        made.settings.change(store, changes, made.crawler.clock.now()),
      )
    else if (hasStore(made)) await readKept(made)
    const { config: values, settings: live, path } = made
    if (flags.json === true) {
      const named = settingKeys.map((key) => [
        fileName(key),
        { value: shownValue(key, values), from: live.origin(key) },
      ])
      environment.out.write(jsonText(Object.fromEntries(named)))
      return exitCode.done
    }
    const rows = settingKeys.map((key) => {
      const { kind, summary } = settings[key] as Setting<unknown>
      return [fileName(key), kind.write(values[key]), live.origin(key), summary]
    })
    const file = path === undefined ? 'There is no revisit.yaml here' : `The file is ${path}`
    environment.out.write(
      `${tableText({ columns: columns('setting', 'value', 'from', 'what it is'), rows })}\n${file}. Each is set there, by REVISIT_NAME in the environment, or by --name.\n`,
    )
    return exitCode.done
  },
})

function changesOf({
  set = [],
  unset = [],
}: {
  readonly set?: readonly string[]
  readonly unset?: readonly string[]
}): Record<string, string | null> {
  const given = set.map((each) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(each) ?? []
    if (name !== undefined) return [name.trim(), value!] as const
    throw new OptionError('bad-option', `--set takes NAME=VALUE; got "${each}"`)
  })
  return Object.fromEntries([...given, ...unset.map((name) => [name, null] as const)])
}

/** Opening the store reads what was set in it; where it cannot be opened, the rest is shown all the same. */
async function readKept(made: Configured): Promise<void> {
  try {
    await withStore(made, async () => {}, { readOnly: true })
  } catch (error) {
    if (!(error instanceof RevisitError)) throw error
    made.environment.err.write(`what was set in the store is not shown: ${error.message}\n`)
  }
}

/** What is only looked at is not made. */
function hasStore({ config, crawler }: Configured): boolean {
  return isServerAddress(config.database) || crawler.exists(config.database)
}

/** A password is nobody's to see here. */
function shownValue(key: SettingKey, values: Configuration): unknown {
  const { kind } = settings[key] as Setting<unknown>
  return kind.secret === true && values[key] !== null ? kind.write(values[key]) : values[key]
}
