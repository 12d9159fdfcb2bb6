import { parseDocument } from 'yaml'
import { InputError, OptionError } from '../../model/errors.js'
import { type FileValues, nearestName } from './configuration.js'
import { fileName, formerNames, settingKeys } from './settings.js'

/** Reads revisit.yaml; refuses keys that are no settings, by name. */
export function configFile(content: string, path: string): FileValues {
  const document = parseDocument(content)
  const [fault] = document.errors
  if (fault !== undefined)
    throw new InputError(
      'bad-config',
      `${path} is no YAML: ${fault.message.split('\n')[0]!.replace(/[.:\s]+$/, '')}; correct it there`,
      { line: fault.linePos?.[0].line },
    )
  const value: unknown = document.toJS()
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value))
    throw new InputError('bad-config', `${path} holds no settings; write lines such as "delay: 5s"`)
  // Pages stand beside settings for `revisit watch`, which reads them from the same file.
  const settings = Object.entries(value).filter(([name]) => name !== 'pages')
  return new Map(settings.map(([name, each]) => [keyOf(name, path), each]))
}

const names = settingKeys.map(fileName)
const keys = new Map(
  [...settingKeys, ...Object.keys(formerNames)].map((key) => [fileName(key), key]),
)

function keyOf(name: string, path: string): string {
  const key = keys.get(name)
  if (key !== undefined) return key
  const near = nearestName(name, names)
  const advice =
    near === undefined ? '`revisit config` lists all that there are' : `did you mean "${near}"?`
  throw new OptionError('unknown-setting', `${path}: there is no setting "${name}"; ${advice}`)
}
