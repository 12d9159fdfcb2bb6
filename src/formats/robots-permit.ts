import { percentNormalForm } from './percent-encoding.js'
import type { RobotsRule, RobotsRules } from './robots-file.js'

/** A path of robots.txt in normal form, cut at its wildcards. */
interface PathPattern {
  /** The literal parts; between two of them anything may stand. */
  readonly parts: readonly string[]
  /** It ended in `$`: the whole path must match. */
  readonly anchored: boolean
  /** Octets of the pattern: the longest one that matches decides. */
  readonly length: number
}

/**
 * Reads a pattern of an Allow or Disallow line: `*` stands for anything, `$` at
 * the end for the end of the path, and both are themselves when escaped. A
 * slash left out at the start is put back. RFC 9309, 2.2.2 and 2.2.3.
 */
function pathPattern(text: string): PathPattern {
  const anchored = text.endsWith('$')
  const rooted = /^[/*]/.test(text) ? text : `/${text}`
  const body = anchored ? rooted.slice(0, -1) : rooted
  const normal = percentNormalForm(body).replaceAll('$', '%24')
  return { parts: normal.split('*'), anchored, length: normal.length + (anchored ? 1 : 0) }
}

/** A path with its query as patterns are matched against it. */
function matchablePath(path: string): string {
  return percentNormalForm(path).replaceAll('$', '%24').replaceAll('*', '%2A')
}

/**
 * Whether a pattern matches a path from `matchablePath`. Each part is sought
 * from where the last one ended, and the first place found is as good as any
 * other, so there is no way back and no bomb: O(path and pattern). A `$` at the
 * end is an anchor only: `Allow: /x$` says nothing of `/x$secret`.
 */
function matchesPath({ parts, anchored }: PathPattern, path: string): boolean {
  return anchored ? matchesWhole(parts, path) : lastEnd(parts, path) !== -1
}

function matchesWhole(parts: readonly string[], path: string): boolean {
  if (parts.length === 1) return path === parts[0]
  const tail = parts.at(-1)!
  const end = lastEnd(parts.slice(0, -1), path)
  return end !== -1 && path.length - tail.length >= end && path.endsWith(tail)
}

/** Where the last part ends when each is placed as early as can be; -1 if one has no place. */
function lastEnd(parts: readonly string[], path: string): number {
  if (!path.startsWith(parts[0]!)) return -1
  let end = parts[0]!.length
  for (let i = 1; i < parts.length; i++) {
    const at = path.indexOf(parts[i]!, end)
    if (at === -1) return -1
    end = at + parts[i]!.length
  }
  return end
}

interface PermitRule {
  readonly allow: boolean
  readonly pattern: PathPattern
}

/**
 * Answers whether rules let a path be visited. The patterns are read once;
 * asking costs O(rules and path).
 */
export class RobotsPermit {
  readonly #rules: readonly PermitRule[]

  constructor({ rules }: Pick<RobotsRules, 'rules'>) {
    this.#rules = rules.flatMap(permitRules).sort(byPrecedence)
  }

  /**
   * The most specific rule that matches, that is the one with the longest path,
   * decides; of two as long, the one that allows. Without one, and for
   * robots.txt itself, all is allowed. RFC 9309, 2.2.2.
   */
  allows(path: string): boolean {
    if (path === '/robots.txt') return true
    const matchable = matchablePath(path)
    return this.#rules.find((each) => matchesPath(each.pattern, matchable))?.allow ?? true
  }
}

/** As in Google's parser, who allows a folder's index.html allows the folder's own address. */
function permitRules({ allow, path }: RobotsRule): PermitRule[] {
  const rule = { allow, pattern: pathPattern(path) }
  const folder = allow ? /^(.*\/)index\.html?$/.exec(path)?.[1] : undefined
  return folder === undefined ? [rule] : [rule, { allow, pattern: pathPattern(`${folder}$`) }]
}

function byPrecedence(a: PermitRule, b: PermitRule): number {
  return b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow)
}
