import { dirname, isAbsolute, join } from 'node:path'
import { OptionError, RevisitError } from '../../model/errors.js'
import { isServerAddress } from '../../store/postgres/server/address.js'
import {
  type Configuration,
  fileName,
  flagName,
  formerNames,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
  variableName,
} from './settings.js'

/** Where a value came from, as a person names it: `--delay`, `REVISIT_DELAY`, the file, or `default`. */
type Origin = string

export interface Effective {
  readonly values: Configuration
  readonly origins: Readonly<Record<SettingKey, Origin>>
  /** What a person should change, a line each: names that settings had before. */
  readonly warnings: readonly string[]
}

/** What a configuration file says, by a setting's key, present or former; values as YAML gives them. */
export type FileValues = ReadonlyMap<string, unknown>

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
  const warnings = found.flatMap(([, { warning }]) => warning ?? [])
  const effective = { values, origins, warnings } as unknown as Effective
  checkTogether(effective.values)
  return effective
}

interface Found {
  readonly value: unknown
  readonly origin: Origin
  readonly warning?: string
}

function foundValue(key: SettingKey, { flags, env, file }: ConfigurationSources): Found {
  const setting = settings[key] as Setting<unknown>
  const former = Object.keys(formerNames).filter((name) => formerNames[name] === key)
  const names = [key, ...former]
  const sources = [
    { get: (name: string) => flags[name], nameOf: flagName },
    { get: (name: string) => env[variableName(name)], nameOf: variableName },
    {
      get: (name: string) => file?.values.get(name),
      nameOf: (name: string) => `${fileName(name)} in ${file?.path}`,
      path: file?.path,
    },
  ]
  for (const { get, nameOf, path } of sources) {
    const name = names.find((each) => get(each) !== undefined)
    if (name === undefined) continue
    const origin = nameOf(name)
    const value = read(get(name), { setting, origin })
    return {
      value: key === 'database' && path !== undefined ? besideFile(value, path) : value,
      origin: path ?? origin,
      ...(name === key ? {} : { warning: `${origin} is called ${nameOf(key)} now; change it` }),
    }
  }
  return { value: setting.default, origin: 'default' }
}

/** A path in a file is meant from where the file is. */
function besideFile(value: unknown, path: string): string {
  const text = String(value)
  return isAbsolute(text) || isServerAddress(text) ? text : join(dirname(path), text)
}

function read(
  raw: unknown,
  { setting, origin }: { setting: Setting<unknown>; origin: Origin },
): unknown {
  const value = readSetting(raw, { setting, origin })
  if (value !== undefined) return value
  throw new OptionError(
    'bad-setting',
    `${origin} takes ${setting.kind.takes}; got ${JSON.stringify(raw)}`,
  )
}

/** The value of a setting as a person wrote it; refused, with the origin's name, where it means nothing. */
export function givenSetting(
  raw: unknown,
  { key, origin }: { readonly key: SettingKey; readonly origin: Origin },
): unknown {
  return read(raw, { setting: settings[key] as Setting<unknown>, origin })
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

const variables = [...settingKeys, ...Object.keys(formerNames)].map(variableName)

/** A variable that is nearly a setting's is a slip; others with our prefix are somebody else's. */
function refuseMisspelt(env: ConfigurationSources['env']): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('REVISIT_') || variables.includes(name)) continue
    const near = nearestName(name, settingKeys.map(variableName))
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

/** The name that was probably meant: at most two letters off, or none. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
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
