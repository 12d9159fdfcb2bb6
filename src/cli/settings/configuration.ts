import { dirname, isAbsolute, join } from 'node:path'
import { parseDocument } from 'yaml'
import { InputError, OptionError, RevisitError } from '../../model/errors.js'
import {
  type Configuration,
  fileName,
  flagName,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
  variableName,
} from './settings.js'

/** The name that was probably meant: at most two letters off, or none. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, off: lettersOff(given, name) }))
    .filter(({ off }) => off <= 2)
  return near.sort((a, b) => a.off - b.off)[0]?.name
}

/** Levenshtein's distance, with one row kept. O(n m). */
function lettersOff(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same))
    }
    row = next
  }
  return row[other.length]!
}

/** Where a value came from, as a person names it: `--delay`, `REVISIT_DELAY`, the file, or `default`. */
type Origin = string

export interface Effective {
  readonly values: Configuration
  readonly origins: Readonly<Record<SettingKey, Origin>>
}

interface ConfigurationSources {
  /** Options as a person gave them, by key. */
  readonly flags: Readonly<Partial<Record<string, unknown>>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file?: { readonly path: string; readonly values: FileValues } | undefined
}

/** The value of every setting: command line over environment over file over default. */
export function effectiveConfiguration(sources: ConfigurationSources): Effective {
  refuseMisspelt(sources.env)
  const found = settingKeys.map((key) => [key, foundValue(key, sources)] as const)
  const values = Object.fromEntries(found.map(([key, { value }]) => [key, value]))
  const origins = Object.fromEntries(found.map(([key, { origin }]) => [key, origin]))
  const effective = { values, origins } as unknown as Effective
  checkTogether(effective.values)
  return effective
}

function foundValue(
  key: SettingKey,
  { flags, env, file }: ConfigurationSources,
): { value: unknown; origin: Origin } {
  const setting = settings[key] as Setting<unknown>
  const flag = flags[key]
  if (flag !== undefined) return read(flag, { setting, origin: flagName(key) })
  const variable = env[variableName(key)]
  if (variable !== undefined) return read(variable, { setting, origin: variableName(key) })
  if (file?.values.has(key) !== true) return { value: setting.default, origin: 'default' }
  const { value } = read(file.values.get(key), { setting, origin: `${key} in ${file.path}` })
  return { value: key === 'database' ? besideFile(value, file.path) : value, origin: file.path }
}

/** A path in a file is meant from where the file is. */
function besideFile(value: unknown, path: string): string {
  const text = String(value)
  return isAbsolute(text) ? text : join(dirname(path), text)
}

function read(
  raw: unknown,
  { setting, origin }: { setting: Setting<unknown>; origin: Origin },
): { value: unknown; origin: Origin } {
  const value = readSetting(raw, { setting, origin })
  if (value !== undefined) return { value, origin }
  throw new OptionError(
    'bad-setting',
    `${origin} takes ${setting.kind.takes}; got ${JSON.stringify(raw)}`,
  )
}

/** A kind that refuses in its own words has said all that there is to say. */
function readSetting(
  raw: unknown,
  { setting, origin }: { setting: Setting<unknown>; origin: Origin },
): unknown {
  try {
    return setting.kind.read(raw)
  } catch (cause) {
    if (!(cause instanceof RevisitError)) throw cause
    throw new OptionError('bad-setting', `${origin}: ${cause.message}`, { cause })
  }
}

const variables = settingKeys.map(variableName)

/** A variable that is nearly a setting's is a slip; others with our prefix are somebody else's. */
function refuseMisspelt(env: ConfigurationSources['env']): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('REVISIT_') || variables.includes(name)) continue
    const near = nearestName(name, variables)
    if (near === undefined) continue
    throw new OptionError(
      'unknown-setting',
      `there is no setting ${name} (an environment variable); did you mean ${near}?`,
    )
  }
}

/** A lease that ends before its visit would let another worker make the same visit. */
function checkTogether({ leaseTime, wholeTime, shortestGap, longestGap }: Configuration): void {
  if ((shortestGap ?? 0) > (longestGap ?? Infinity))
    throw new OptionError(
      'bad-limits',
      `shortest-gap (${shortestGap} s) must not be longer than longest-gap (${longestGap} s)`,
    )
  if (leaseTime > wholeTime) return
  throw new OptionError(
    'lease-too-short',
    `lease-time (${leaseTime} s) must be longer than whole-time (${wholeTime} s); raise it`,
  )
}

/** What a configuration file says, by setting; values as YAML gives them. */
type FileValues = ReadonlyMap<SettingKey, unknown>

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
  return new Map(Object.entries(value).map(([name, each]) => [keyOf(name, path), each]))
}

const names = settingKeys.map(fileName)

function keyOf(name: string, path: string): SettingKey {
  const key = settingKeys[names.indexOf(name)]
  if (key !== undefined) return key
  const near = nearestName(name, names)
  const advice =
    near === undefined ? '`revisit config` lists all that there are' : `did you mean "${near}"?`
  throw new OptionError('unknown-setting', `${path}: there is no setting "${name}"; ${advice}`)
}
