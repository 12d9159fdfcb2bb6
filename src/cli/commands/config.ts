import { storeCommand } from '../command.js'
import { effective } from '../configured.js'
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
    'The value of every setting, and where it comes from: the command line, the environment, revisit.yaml, or the default, in this order.',
  async run(environment, _, flags) {
    const crawler = await environment.crawler()
    const { values, origins, warnings, path } = await effective(environment, { crawler, flags })
    for (const line of warnings) environment.err.write(`${line}\n`)
    if (flags.json === true) {
      const named = settingKeys.map((key) => [
        fileName(key),
        { value: shownValue(key, values), from: origins[key] },
      ])
      environment.out.write(jsonText(Object.fromEntries(named)))
      return exitCode.done
    }
    const rows = settingKeys.map((key) => {
      const { kind, summary } = settings[key] as Setting<unknown>
      return [fileName(key), kind.write(values[key]), origins[key], summary]
    })
    const file = path === undefined ? 'There is no revisit.yaml here' : `The file is ${path}`
    environment.out.write(
      `${tableText({ columns: columns('setting', 'value', 'from', 'what it is'), rows })}\n${file}. Each is set there, by REVISIT_NAME in the environment, or by --name.\n`,
    )
    return exitCode.done
  },
})

/** A password is nobody's to see here. */
function shownValue(key: SettingKey, values: Configuration): unknown {
  const { kind } = settings[key] as Setting<unknown>
  return kind.secret === true && values[key] !== null ? kind.write(values[key]) : values[key]
}
