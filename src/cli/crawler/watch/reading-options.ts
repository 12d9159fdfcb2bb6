import { readingRules } from '../../../crawl/index.js'
import type { Json } from '../../../model/index.js'
import type { WatchFlags } from './watch-flags.js'

const readingFlags = [
  'compare',
  'select',
  'ignore',
  'ignoreText',
  'ignoreLines',
  'ignorePaths',
  'appear',
  'disappear',
] as const

/** How the page is to be read, checked; undefined where nothing was chosen, null to go back to the usual. */
export function readingOf(flags: WatchFlags): Json | undefined {
  const chosen = readingFlags.flatMap((name) =>
    flags[name] === undefined ? [] : [[name, flags[name]] as const],
  )
  const bits = flags.bits === undefined ? [] : [['bits', Number(flags.bits)] as const]
  if (chosen.length + bits.length === 0) return flags.readPlainly === true ? null : undefined
  const rules = Object.fromEntries([...chosen, ...bits]) as Json
  readingRules(rules)
  return rules
}
