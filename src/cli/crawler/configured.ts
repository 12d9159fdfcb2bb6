import { buffer } from 'node:stream/consumers'
import { configFile } from '../config/config-file.js'
import { type Effective, effectiveConfiguration } from '../config/configuration.js'
import type { Configuration } from '../config/settings.js'
import type { World } from '../world.js'
import type { CrawlerWorld } from './crawler-world.js'

/** The options that every command of the crawler has. */
export interface CrawlerFlags {
  readonly config?: string
  readonly json?: boolean
  readonly [setting: string]: unknown
}

/** What a command works with. */
export interface Configured {
  readonly world: World
  readonly crawler: CrawlerWorld
  readonly config: Configuration
}

/** Looked for where the command is given, unless another is named. */
export const usualFile = 'revisit.yaml'

/** The configuration for a command: the file that is named or usual, the environment, the options. */
export async function configured(world: World, flags: CrawlerFlags): Promise<Configured> {
  const crawler = await world.crawler()
  const { values } = await effective(world, { crawler, flags })
  return { world, crawler, config: values }
}

export async function effective(
  world: World,
  { crawler, flags }: { crawler: CrawlerWorld; flags: CrawlerFlags },
): Promise<Effective & { readonly path: string | undefined }> {
  const { environment } = crawler
  const named = flags.config ?? environment.REVISIT_CONFIG
  const path = named ?? (crawler.exists(usualFile) ? usualFile : undefined)
  const file = path === undefined ? undefined : { path, values: await read(world, path) }
  return { ...effectiveConfiguration({ flags, environment, file }), path }
}

async function read(world: World, path: string) {
  const { chunks } = await world.open(path)
  return configFile((await buffer(chunks)).toString('utf8'), path)
}
