import type { Seconds } from '../../model/index.js'
import { agentNames, productToken } from './product-token.js'
import { type RobotsLine, robotsLine } from './robots-line.js'

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
  readonly agents: string[]
  readonly rules: RobotsRule[]
  crawlDelay: Seconds | null
  /** A rule was seen, so the next User-agent line begins another group. */
  closed: boolean
}

/**
 * Reads robots.txt for one crawler, named by its User-Agent: all groups that
 * name it, together; else those for `*`. Any other record ends the list of
 * agents above it, Sitemap excepted, which belongs to no group. Rules above the
 * first group are ignored; in a file that names nobody they are meant for
 * everybody. Bytes that are not UTF-8, HTML, or anything else are read as far
 * as they make sense.
 *
 * RFC 9309, 2.2. O(n).
 */
export function readRobots(text: string, { agent }: { readonly agent: string }): RobotsRules {
  const sitemaps: string[] = []
  const groups: Group[] = [emptyGroup()]
  const colons = text.includes(':')
  for (const line of linesOf(text)) {
    const found = robotsLine(line, { colons })
    if (found === null) continue
    if (found.key === 'sitemap') sitemaps.push(found.value)
    else if (found.key === 'user-agent') takeAgent(groups, found.value)
    else takeRule(groups.at(-1)!, found)
  }
  return { ...together(groupsFor(agent, groups)), sitemaps }
}

/** Lines end in CR, LF or both; a mark at the start tells the encoding and nothing else. */
function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
}

function emptyGroup(): Group {
  return { agents: [], rules: [], crawlDelay: null, closed: false }
}

/** The group of the rules above any User-agent line comes first, and names nobody. */
function takeAgent(groups: Group[], name: string): void {
  if (groups.length === 1 || groups.at(-1)!.closed) groups.push(emptyGroup())
  if (name !== '') groups.at(-1)!.agents.push(productToken(name))
}

function takeRule(group: Group, { key, value }: RobotsLine): void {
  group.closed = true
  if (key === 'crawl-delay') group.crawlDelay ??= delayOf(value)
  // An empty path matches nothing: `Disallow:` alone allows all.
  else if (key !== 'other' && value !== '')
    group.rules.push({ allow: key === 'allow', path: value })
}

function groupsFor(agent: string, groups: readonly Group[]): readonly Group[] {
  if (groups.length === 1 && agent !== '*') return groups
  const names = agentNames(agent)
  const own = groups.filter((each) => names.some((name) => each.agents.includes(name)))
  return own.length > 0 ? own : groups.filter((each) => each.agents.includes('*'))
}

function together(groups: readonly Group[]): Omit<RobotsRules, 'sitemaps'> {
  return {
    rules: groups.flatMap((each) => each.rules),
    crawlDelay: groups.find((each) => each.crawlDelay !== null)?.crawlDelay ?? null,
  }
}

function delayOf(text: string): Seconds | null {
  return /^\d{1,9}(?:\.\d{1,9})?$|^\.\d{1,9}$/.test(text) ? Number(text) : null
}
