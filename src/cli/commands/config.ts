import { type CrawlerFlags, effective } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import {
  type Configuration,
  fileName,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
} from '../settings/settings.js'
import { AlignedTable } from '../text/table.js'

/** `revisit config`: the value of every setting, and where it comes from. */
export async function configCommand(
  environment: Environment,
  flags: CrawlerFlags,
): Promise<number> {
  const crawler = await environment.crawler()
  const { values, origins, path } = await effective(environment, { crawler, flags })
  if (flags.json === true) {
    const named = settingKeys.map((key) => [
      fileName(key),
      { value: shownValue(key, values), from: origins[key] },
    ])
    environment.out.write(`${JSON.stringify(Object.fromEntries(named), null, 2)}\n`)
    return exitCode.done
  }
  const table = new AlignedTable(
    [
      { title: 'setting', align: 'left' },
      { title: 'value', align: 'left' },
      { title: 'from', align: 'left' },
      { title: 'what it is', align: 'left' },
    ],
    { write: (text) => environment.out.write(text), room: undefined },
  )
  for (const key of settingKeys) {
    const { kind, summary } = settings[key] as Setting<unknown>
    table.row([fileName(key), kind.write(values[key]), origins[key], summary])
  }
  table.end()
  environment.out.write(
    `\n${path === undefined ? 'There is no revisit.yaml here' : `The file is ${path}`}. Each is set there, by REVISIT_NAME in the environment, or by --name.\n`,
  )
  return exitCode.done
}

/** A password is nobody's to see here. */
function shownValue(key: SettingKey, values: Configuration): unknown {
  const { kind } = settings[key] as Setting<unknown>
  return kind.secret === true && values[key] !== null ? kind.write(values[key]) : values[key]
}
