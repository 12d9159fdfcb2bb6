import { buffer } from 'node:stream/consumers'
import type { CrawlerOptions } from '../crawler/open-crawler.js'
import { StoreClock } from '../crawler/processes/store-clock.js'
import { OptionError } from '../model/errors.js'
import { type FileStore, isFileStore, type Retention, type Store } from '../model/store.js'
import type { Seconds } from '../model/units.js'
import { Random } from '../numeric/random.js'
import { isServerAddress } from '../store/postgres/server/address.js'
import type { CrawlerEnvironment, Environment } from './environment.js'
import { type Effective, effectiveConfiguration } from './settings/configuration.js'
import { LiveSettings } from './settings/live-settings.js'
import { type Configuration, settings } from './settings/settings.js'

/** The options that every command of the crawler has. */
export interface CrawlerFlags {
  readonly config?: string
  readonly json?: boolean
  readonly [setting: string]: unknown
}

/** What a command works with. */
export interface Configured {
  readonly environment: Environment
  readonly crawler: CrawlerEnvironment
  /** In force: once the store is open, with what was set in it while processes ran. */
  readonly config: Configuration
  readonly settings: LiveSettings
  /** Of the configuration file, where there is one. */
  readonly path: string | undefined
}

/** Looked for where the command is given, unless another is named. */
const usualFile = 'revisit.yaml'

/** The configuration for a command: the file that is named or usual, the environment, the options. */
export async function configured(
  environment: Environment,
  flags: CrawlerFlags,
): Promise<Configured> {
  const crawler = await environment.crawler()
  const found = await effective(environment, { crawler, flags })
  for (const line of found.warnings) crawler.tell(`${line}\n`)
  const settings = new LiveSettings(found)
  return {
    environment,
    crawler,
    settings,
    path: found.path,
    get config() {
      return settings.values
    },
  }
}

async function effective(
  environment: Environment,
  { crawler, flags }: { crawler: CrawlerEnvironment; flags: CrawlerFlags },
): Promise<Effective & { readonly path: string | undefined }> {
  const { env } = crawler
  const named = flags.config ?? env.REVISIT_CONFIG
  const path = named ?? (crawler.exists(usualFile) ? usualFile : undefined)
  const file = path === undefined ? undefined : { path, values: await read(environment, path) }
  return { ...effectiveConfiguration({ flags, env, file }), path }
}

async function read(environment: Environment, path: string) {
  const { chunks } = await environment.open(path)
  // Loaded where there is a file: most have none, and YAML takes longer to load than to read.
  const { configFile } = await import('./settings/config-file.js')
  return configFile((await buffer(chunks)).toString('utf8'), path)
}

export interface OpenHow {
  /** Only to look. */
  readonly readOnly?: boolean
  /** On a thread of its own. */
  readonly thread?: boolean
  /** As it is, torn or not: for the check. */
  readonly unseen?: boolean
  /** For a process that goes on for long: a server that cannot be reached is waited for. */
  readonly patient?: boolean
}

/**
 * The store of the configuration; made if need be, unless it is only looked
 * at. One begun in a file that was empty may be one that was cut: this is told.
 */
async function openStore(
  { crawler, config, settings }: Configured,
  { readOnly = false, thread = false, unseen = false, patient = false }: OpenHow = {},
): Promise<Store> {
  const { database } = config
  const wasEmpty = crawler.isEmptyFile(database)
  const store = await crawler.openStore({
    path: database,
    readOnly,
    thread,
    unseen,
    ...(patient ? { server: waiting(config.databasePatience, crawler.tell) } : {}),
    retention: retentionOf(config),
  })
  if (!unseen) {
    settings.onChange((values) => void store.retain(retentionOf(values)).catch(() => undefined))
    await settings.read(store)
  }
  // What a command writes is judged by the clock of all who share the store.
  if (crawler.clock instanceof StoreClock) await crawler.clock.follow(store)
  if (wasEmpty)
    crawler.tell(
      `${database} was empty (0 bytes), and a new store was begun in it; if it held pages before, put the last good copy in its place: revisit restore BACKUP --replace\n`,
    )
  return store
}

function retentionOf({ keepVersions, keepTime }: Configuration): Retention {
  return { newest: keepVersions, youngerThan: keepTime }
}

function waiting(patience: Seconds, tell: (text: string) => void) {
  return { patience, openWithin: patience, note: (text: string) => tell(`${text}\n`) }
}

/** What a crawler, or what plans its visits, is opened with by the configuration. */
export function crawlerOptions(made: Configured, store: Store) {
  const { environment, crawler, settings } = made
  const { clock, worker, isRunning, tell } = crawler
  return {
    ...made.config,
    changing: () => settings.read(store).then(() => made.config),
    store,
    clock,
    worker,
    isRunning,
    random: new Random(environment.seed),
    version: environment.version,
    note: (text: string) => tell(`${text}\n`),
  } satisfies CrawlerOptions
}

/** Runs a task on the store and closes it, whatever happens. */
export async function withStore<T>(
  configured: Configured,
  task: (store: Store) => Promise<T>,
  options: OpenHow = {},
): Promise<T> {
  const store = await openStore(configured, options)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}

/** The same for what only a store in a file has. */
export async function withFileStore<T>(
  configured: Configured,
  task: (store: FileStore) => Promise<T>,
  options: OpenHow = {},
): Promise<T> {
  refuseServer(configured.config)
  return withStore(
    configured,
    (store) => {
      if (isFileStore(store)) return task(store)
      throw notAFile(configured.config)
    },
    options,
  )
}

/** Refuses, before it is opened, a store that lies on a server. */
export function refuseServer(config: Configuration): void {
  if (isServerAddress(config.database)) throw notAFile(config)
}

function notAFile({ database }: Configuration): OptionError {
  return new OptionError(
    'not-a-file',
    `this is for a store in a file, and ${settings.database.kind.write(database)} is a server's. Its own tools copy and restore it, such as pg_dump and pg_restore`,
  )
}
