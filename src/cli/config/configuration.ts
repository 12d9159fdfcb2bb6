import { dirname, isAbsolute, join } from 'node:path'
import { OptionError, RevisitError } from '../../model/index.js'
import type { FileValues } from './config-file.js'
import { nearestName } from './nearest-name.js'
import {
  type Configuration,
  flagName,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
  variableName,
} from './settings.js'

/** Where a value came from, as a person names it: `--delay`, `REVISIT_DELAY`, the file, or `default`. */
export type Origin = string

export interface Effective {
  readonly values: Configuration
  readonly origins: Readonly<Record<SettingKey, Origin>>
}

export interface ConfigurationSources {
  /** Options as a person gave them, by key. */
  readonly flags: Readonly<Partial<Record<string, unknown>>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file?: { readonly path: string; readonly values: FileValues } | undefined
}

/** The value of every setting: command line over environment over file over default. */
export function effectiveConfiguration(sources: ConfigurationSources): Effective {
  refuseMisspelt(sources.environment)
  const found = settingKeys.map((key) => [key, foundValue(key, sources)] as const)
  const values = Object.fromEntries(found.map(([key, { value }]) => [key, value]))
  const origins = Object.fromEntries(found.map(([key, { origin }]) => [key, origin]))
  const effective = { values, origins } as unknown as Effective
  checkTogether(effective.values)
  return effective
}

function foundValue(
  key: SettingKey,
  { flags, environment, file }: ConfigurationSources,
): { value: unknown; origin: Origin } {
  const setting = settings[key] as Setting<unknown>
  const flag = flags[key]
  if (flag !== undefined) return read(flag, { setting, origin: flagName(key) })
  const variable = environment[variableName(key)]
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
  const value = said(raw, { setting, origin })
  if (value !== undefined) return { value, origin }
  throw new OptionError(
    'bad-setting',
    `${origin} takes ${setting.kind.takes}; got ${JSON.stringify(raw)}`,
  )
}

/** A kind that refuses in its own words has said all that there is to say. */
function said(
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
function refuseMisspelt(environment: ConfigurationSources['environment']): void {
  for (const name of Object.keys(environment)) {
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
