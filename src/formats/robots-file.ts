import type { Seconds } from '../model/units.js'
import { linesOf } from './printable-text.js'

/** The name a crawler goes by in robots.txt: `Revisit/1.0 (+https://...)` is `revisit`. */
export function productToken(agent: string): string {
  return (agent.split('/')[0] ?? '').trim().toLowerCase()
}

/**
 * The names a User-agent line may be found by: the whole one, and its first
 * word, since webmasters write `Revisit (+https://...)`, `Revisit, Other` or
 * `Revisit Crawler` where the standard wants `Revisit` alone (RFC 9309, 2.2.1).
 */
function lineNames(value: string): readonly string[] {
  const whole = productToken(value)
  const first = /^[^\s,;()[\]{}]+/.exec(whole)?.[0]
  return first === undefined || first === whole ? [whole] : [whole, first]
}

/** All names of a User-Agent: crawlers that call themselves Mozilla tell theirs after `compatible;`. */
function agentNames(agent: string): readonly string[] {
  const hidden = /compatible;\s*([^/;)]+)/i.exec(agent)?.[1]
  const names = [...lineNames(agent), ...(hidden === undefined ? [] : lineNames(hidden))]
  return names.filter((each) => each !== '')
}

type RobotsKey = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

interface RobotsLine {
  readonly key: RobotsKey
  readonly value: string
}

/** Spellings that webmasters use and Google's parser takes too. */
const spellings: ReadonlyArray<readonly [RobotsKey, RegExp]> = [
  ['user-agent', /^user[ -]?agent$/],
  ['allow', /^allow$/],
  ['disallow', /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)$/],
  ['crawl-delay', /^crawl[ -]?delay$/],
  ['sitemap', /^site-?map$/],
]
const bareKey = /^(user[ -]?agent|allow|disallow|crawl[ -]?delay|site-?map)[ \t]+/i

/**
 * A line of robots.txt; null for an empty line, a comment, or a record that is
 * none of ours, which changes nothing around it (RFC 9309, 2.2.4). A colon left
 * out is forgiven where one word follows the key, as in Google's parser: more
 * words are prose, except in a file that has no colon at all (`colons: false`).
 */
function robotsLine(line: string, { colons }: { readonly colons: boolean }): RobotsLine | null {
  const comment = line.indexOf('#')
  const text = (comment === -1 ? line : line.slice(0, comment)).trim()
  const colon = text.indexOf(':')
  const key = colon === -1 ? null : keyOf(text.slice(0, colon).trim())
  if (key !== null) return { key, value: text.slice(colon + 1).trim() }
  const bare = bareKey.exec(text)
  if (bare === null) return null
  const value = text.slice(bare[0].length)
  return colons && /\s/.test(value) ? null : { key: keyOf(bare[1]!)!, value }
}

function keyOf(name: string): RobotsKey | null {
  if (name.length > 20) return null
  const lower = name.toLowerCase()
  return spellings.find(([, spelling]) => spelling.test(lower))?.[0] ?? null
}

export interface RobotsRule {
  readonly allow: boolean
  /** As written; `pathPattern` reads it. */
  readonly path: string
}

/** What one robots.txt asks of one crawler: a plain record that a store can keep. */
export interface RobotsRules {
  readonly rules: readonly RobotsRule[]
  /** Null where none is asked for, or none that is a number. */
  readonly crawlDelay: Seconds | null
  readonly sitemaps: readonly string[]
}

/** RFC 9309, 2.5: a parser must read at least this much, and need not read more. */
export const longestRobots = 500 * 1024

interface Group {
  /** Each User-agent line's names. */
  readonly agents: (readonly string[])[]
  readonly rules: RobotsRule[]
  /** A Crawl-delay belongs to the agents above it: the first `agents` of them. */
  readonly delays: { readonly agents: number; readonly delay: Seconds }[]
  /** Allow or Disallow was seen, so the next User-agent line begins another group. */
  closed: boolean
}

/**
 * Reads robots.txt for one crawler, named by its User-Agent: all groups that
 * name it, together; else those for `*`. Only Allow and Disallow end the list of
 * agents above them; other records do not interfere (RFC 9309, 2.2.4), and a
 * Crawl-delay counts for the agents named so far. Rules above the first group
 * are ignored; in a file that names nobody they are meant for everybody. Bytes
 * that are not UTF-8, HTML, or anything else are read as far as they make sense.
 *
 * RFC 9309, 2.2. O(n).
 */
export function readRobots(text: string, { agent }: { readonly agent: string }): RobotsRules {
  const sitemaps: string[] = []
  const groups: Group[] = [emptyGroup()]
  const colons = text.includes(':')
  // A mark at the start tells the encoding and nothing else.
  for (const line of linesOf(text.replace(/^\uFEFF/, ''))) {
    const found = robotsLine(line, { colons })
    if (found === null) continue
    if (found.key === 'sitemap') sitemaps.push(found.value)
    else if (found.key === 'user-agent') takeAgent(groups, found.value)
    else takeRule(groups.at(-1)!, found)
  }
  return { ...rulesFor(agent, groups), sitemaps }
}

function emptyGroup(): Group {
  return { agents: [], rules: [], delays: [], closed: false }
}

/** The group of the rules above any User-agent line comes first, and names nobody. */
function takeAgent(groups: Group[], name: string): void {
  if (groups.length === 1 || groups.at(-1)!.closed) groups.push(emptyGroup())
  if (name !== '') groups.at(-1)!.agents.push(lineNames(name))
}

function takeRule(group: Group, { key, value }: RobotsLine): void {
  if (key === 'crawl-delay') {
    const delay = delayOf(value)
    if (delay !== null) group.delays.push({ agents: group.agents.length, delay })
    return
  }
  group.closed = true
  // An empty path matches nothing: `Disallow:` alone allows all.
  if (value !== '') group.rules.push({ allow: key === 'allow', path: value })
}

function rulesFor(agent: string, groups: readonly Group[]): Omit<RobotsRules, 'sitemaps'> {
  const [unnamed, ...named] = groups as [Group, ...Group[]]
  if (named.length === 0 && agent !== '*') return together([{ group: unnamed, at: -1 }])
  const names = agentNames(agent)
  const own = placesOf(names, named)
  return together(own.length > 0 ? own : placesOf(['*'], named))
}

/** A group that names the crawler, and the first line of it that does. */
interface Place {
  readonly group: Group
  readonly at: number
}

function placesOf(names: readonly string[], groups: readonly Group[]): readonly Place[] {
  return groups
    .map((group) => ({ group, at: group.agents.findIndex((each) => shares(each, names)) }))
    .filter(({ at }) => at !== -1)
}

function shares(some: readonly string[], others: readonly string[]): boolean {
  return some.some((each) => others.includes(each))
}

function together(places: readonly Place[]): Omit<RobotsRules, 'sitemaps'> {
  const delays = places.flatMap(({ group, at }) => group.delays.filter(({ agents }) => at < agents))
  return {
    rules: places.flatMap(({ group }) => group.rules),
    crawlDelay: delays[0]?.delay ?? null,
  }
}

function delayOf(text: string): Seconds | null {
  return /^\d{1,9}(?:\.\d{1,9})?$|^\.\d{1,9}$/.test(text) ? Number(text) : null
}
