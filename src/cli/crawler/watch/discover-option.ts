import { defaultDiscovery } from '../../../crawl/index.js'
import { type Json, OptionError } from '../../../model/index.js'
import type { WatchFlags } from './watch-flags.js'

/** The rules to find pages by; null where none are to be found any more, undefined where nothing was said. */
export function discoverOf(flags: WatchFlags): Json | undefined {
  const { discover, depth, pages, include = [], exclude = [] } = flags
  if (discover !== true) {
    const given = {
      '--depth': depth,
      '--pages': pages,
      '--include': flags.include,
      '--exclude': flags.exclude,
    }
    const [alone] = Object.entries(given).filter(([, value]) => value !== undefined)
    if (alone === undefined) return discover === false ? null : undefined
    throw new OptionError('bad-option', `${alone[0]} goes with --discover`)
  }
  return {
    depth: depth === undefined ? defaultDiscovery.depth : countOf(depth, '--depth'),
    pages: pages === undefined ? defaultDiscovery.pages : countOf(pages, '--pages'),
    include,
    exclude,
  }
}

function countOf(text: string, option: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new OptionError('bad-option', `${option} takes a whole number up to 9999999; got "${text}"`)
}
