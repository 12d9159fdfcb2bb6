import { createHash } from 'node:crypto'
import { OptionError } from '../../model/errors.js'
import { changeSetting, type Store } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { type Effective, givenSetting } from './configuration.js'
import {
  type Configuration,
  fileName,
  type Setting,
  type SettingKey,
  settingKeys,
  settings,
  settingTopics,
} from './settings.js'

/**
 * Settings that may be changed while processes run. None of them can run a
 * program or read a file of this machine: those are for the configuration
 * alone. The budget has a place of its own (`budgetSetting`).
 */
const changeable: ReadonlySet<SettingKey> = new Set([
  'contact',
  'hours',
  'delay',
  'requestsPerDay',
  'hostRequestsPerDay',
  'allowedNetworks',
  'keepVersions',
  'keepTime',
  'smtp',
  'mailFrom',
  'notifyNetworks',
  'dashboardAddress',
])

/** Where the store keeps them, for all processes on it. */
const settingName = 'changed-settings'

/** Where a value comes from that was set while processes ran. */
const keptOrigin = 'set while running'

/** One that was set, as it is kept. */
interface KeptSetting {
  /** As a person wrote it. */
  readonly text: string
  /**
   * What the configuration said then, as a digest, for it may be a password.
   * The value holds as long as the configuration says the same: the newer word counts.
   */
  readonly instead: string
  readonly at: UnixSeconds
}

type KeptSettings = Readonly<Record<string, KeptSetting>>

/** A setting, for a person: what is in force, and where each word on it comes from. */
export interface SettingRow {
  readonly name: string
  readonly topic: string
  readonly summary: string
  readonly takes: string
  /** In force; passwords are left out. */
  readonly value: string
  readonly from: string
  /** What the configuration says, and where. */
  readonly configured: string
  readonly configuredFrom: string
  readonly changeable: boolean
  /** When it was set while processes ran, where that holds. */
  readonly setAt: UnixSeconds | null
}

/** The settings of a process: those of its configuration, and over them what was set in the store since. */
export class LiveSettings {
  readonly #configured: Effective
  readonly #listeners: ((values: Configuration) => void)[] = []
  #kept: KeptSettings = {}
  #values: Configuration

  constructor(configured: Effective) {
    this.#configured = configured
    this.#values = configured.values
  }

  /** In force now. Another object once something has changed. */
  get values(): Configuration {
    return this.#values
  }

  /** Called with the values whenever they have changed. */
  onChange(listener: (values: Configuration) => void): void {
    this.#listeners.push(listener)
  }

  /** Reads what was set since, by whatever process. */
  async read(store: Pick<Store, 'getSetting'>): Promise<void> {
    const { collection } = this.#configured.values
    const kept = keptIn(await store.getSetting(collection, settingName))
    if (JSON.stringify(kept) === JSON.stringify(this.#kept)) return
    this.#kept = kept
    this.#values = this.#over(kept)
    for (const listener of this.#listeners) listener(this.#values)
  }

  /** Sets some by their names in the file, as a person writes them; null goes back to the configuration. All or none. */
  async change(
    store: Pick<Store, 'getSetting' | 'swapSetting'>,
    changes: Readonly<Record<string, string | null>>,
    now: UnixSeconds,
  ): Promise<void> {
    const asked = Object.entries(changes).map(([name, text]) => {
      const key = changeableKey(name)
      if (text !== null) readAs(key, text)
      return { key, text }
    })
    const { collection } = this.#configured.values
    await changeSetting(store, { collection, name: settingName }, (before) => {
      const after: Record<string, KeptSetting> = { ...keptIn(before) }
      for (const { key, text } of asked)
        if (text === null) delete after[key]
        else after[key] = { text, instead: this.#configuredDigest(key), at: now }
      return after as unknown as Json
    })
    await this.read(store)
  }

  /** Every setting, in the order of the topics. */
  rows(): readonly SettingRow[] {
    return settingTopics.flatMap(({ title, keys }) =>
      keys.map((key) => this.#row(key, { topic: title })),
    )
  }

  origin(key: SettingKey): string {
    return this.#holds(key) === null ? this.#configured.origins[key] : keptOrigin
  }

  #row(key: SettingKey, { topic }: { topic: string }): SettingRow {
    const { kind, summary } = settings[key] as Setting<unknown>
    const { values, origins } = this.#configured
    return {
      name: fileName(key),
      topic,
      summary,
      takes: kind.takes,
      value: kind.write(this.#values[key]),
      from: this.origin(key),
      configured: kind.write(values[key]),
      configuredFrom: origins[key],
      changeable: changeable.has(key),
      setAt: this.#holds(key)?.at ?? null,
    }
  }

  #over(kept: KeptSettings): Configuration {
    const set = settingKeys.flatMap((key) => {
      const held = this.#holds(key, kept)
      return held === null ? [] : [[key, readAs(key, held.text)] as const]
    })
    return { ...this.#configured.values, ...Object.fromEntries(set) }
  }

  /** What was set, where it still counts and this version can read it. */
  #holds(key: SettingKey, kept = this.#kept): KeptSetting | null {
    const found = kept[key]
    if (found === undefined || !changeable.has(key)) return null
    if (found.instead !== this.#configuredDigest(key)) return null
    return isReadable(key, found.text) ? found : null
  }

  #configuredDigest(key: SettingKey): string {
    const value = JSON.stringify(this.#configured.values[key])
    return createHash('sha256').update(value).digest('hex').slice(0, 16)
  }
}

function readAs(key: SettingKey, text: string): unknown {
  if (text.includes('(not shown)'))
    throw new OptionError('bad-setting', `${fileName(key)}: write the password again`)
  return givenSetting(text, { key, origin: fileName(key) })
}

/** What a later version wrote may mean nothing here: then the configuration counts. */
function isReadable(key: SettingKey, text: string): boolean {
  try {
    readAs(key, text)
    return true
  } catch {
    return false
  }
}

function changeableKey(name: string): SettingKey {
  const key = settingKeys.find((each) => fileName(each) === name)
  if (key === undefined)
    throw new OptionError('unknown-setting', `there is no setting "${name}"; see revisit config`)
  if (changeable.has(key)) return key
  if (key === 'budget')
    throw new OptionError(
      'fixed-setting',
      'the budget is set under Budget in the dashboard, or by PUT /api/budget',
    )
  throw new OptionError(
    'fixed-setting',
    `${name} cannot be changed while Revisit runs; set it in revisit.yaml, the environment or the command line, and start it again`,
  )
}

function keptIn(stored: Json | undefined): KeptSettings {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return {}
  const entries = Object.entries(stored).filter(([, each]) => isKept(each))
  return Object.fromEntries(entries) as unknown as KeptSettings
}

function isKept(value: unknown): boolean {
  const { text, instead, at } = (value ?? {}) as Partial<KeptSetting>
  return typeof text === 'string' && typeof instead === 'string' && typeof at === 'number'
}
