import { matchablePath, matchesPath, type PathPattern, pathPattern } from './path-pattern.js'
import type { RobotsRule, RobotsRules } from './robots-file.js'

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
