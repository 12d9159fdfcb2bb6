import { basicAuthorization, defaultDiscovery, readingRules } from '../../../crawl/index.js'
import {
  checkPageHeaders,
  type Json,
  OptionError,
  type PageSettings,
} from '../../../model/index.js'
import { parseAllowedHours } from '../../../schedule/index.js'
import { chosenPolicy } from '../../config/chosen-policy.js'
import { parseDuration } from '../../text/parse-duration.js'
import type { CrawlerFlags } from '../configured.js'

export interface WatchFlags extends CrawlerFlags {
  readonly group?: string
  readonly importance?: string
  readonly hours?: string
  readonly policy?: string
  readonly shortest?: string
  readonly longest?: string
  readonly header?: readonly string[]
  readonly auth?: string
  readonly compare?: string
  readonly bits?: string
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
  readonly ignoreText?: readonly string[]
  readonly ignoreLines?: readonly string[]
  readonly ignorePaths?: readonly string[]
  readonly appear?: readonly string[]
  readonly disappear?: readonly string[]
  readonly readPlainly?: boolean
  readonly noiseCheck?: boolean
  readonly browser?: boolean
  readonly as?: string
  readonly anyHost?: boolean
  readonly discover?: boolean
  readonly depth?: string
  readonly pages?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** What a person chose for the pages, checked; empty where nothing was. */
export interface PageOptions {
  readonly group?: string
  readonly importance?: number
  readonly settings?: PageSettings
}

export function pageOptions(flags: WatchFlags): PageOptions {
  const settings = pageSettings(flags)
  return {
    ...(flags.group === undefined ? {} : { group: flags.group }),
    ...(flags.importance === undefined ? {} : { importance: importanceOf(flags.importance) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

function pageSettings(flags: WatchFlags): PageSettings {
  const { hours, policy, header = [], auth } = flags
  const settings: Record<string, Json> = {}
  const reading = readingOf(flags)
  if (reading !== undefined) settings.reading = reading
  if (flags.noiseCheck === false) settings.noiseCheck = false
  if (flags.browser !== undefined) settings.browser = flags.browser
  if (hours !== undefined) {
    parseAllowedHours(hours)
    settings.hours = hours
  }
  if (policy !== undefined) {
    chosenPolicy(policy)
    settings.policy = policy
  }
  const { shortest, longest } = gapLimits(flags)
  if (shortest !== undefined) settings.shortest = shortest
  if (longest !== undefined) settings.longest = longest
  const headers = Object.fromEntries(header.map(headerOf))
  checkPageHeaders(headers)
  if (auth !== undefined) headers.authorization = authorizationOf(auth)
  if (Object.keys(headers).length > 0) settings.headers = headers
  const discover = discoverOf(flags)
  if (discover !== null) settings.discover = discover
  return settings
}

/** The shortest and the longest gap of a page, in seconds. */
function gapLimits({ shortest, longest }: WatchFlags): { shortest?: number; longest?: number } {
  const limits = {
    ...(shortest === undefined ? {} : { shortest: parseDuration(shortest, '--shortest') }),
    ...(longest === undefined ? {} : { longest: parseDuration(longest, '--longest') }),
  }
  if ((limits.shortest ?? 0) <= (limits.longest ?? Infinity)) return limits
  throw new OptionError('bad-limits', '--shortest must not be longer than --longest')
}

/** The rules to find pages by; null where none are to be found. */
function discoverOf(flags: WatchFlags): Json {
  const { discover = false, depth, pages, include = [], exclude = [] } = flags
  if (!discover) {
    const given = {
      '--depth': depth,
      '--pages': pages,
      '--include': flags.include,
      '--exclude': flags.exclude,
    }
    const [alone] = Object.entries(given).filter(([, value]) => value !== undefined)
    if (alone === undefined) return null
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
function readingOf(flags: WatchFlags): Json | undefined {
  const chosen = readingFlags.flatMap((name) =>
    flags[name] === undefined ? [] : [[name, flags[name]] as const],
  )
  const bits = flags.bits === undefined ? [] : [['bits', Number(flags.bits)] as const]
  if (chosen.length + bits.length === 0) return flags.readPlainly === true ? null : undefined
  const rules = Object.fromEntries([...chosen, ...bits]) as Json
  readingRules(rules)
  return rules
}

function headerOf(text: string): [string, string] {
  const found = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([^\r\n\0]*?)\s*$/.exec(text)
  if (found !== null) return [found[1]!.toLowerCase(), found[2]!]
  throw new OptionError('bad-header', `--header takes "Name: value"; got "${text}"`)
}

function authorizationOf(text: string): string {
  const colon = text.indexOf(':')
  if (colon > 0)
    return basicAuthorization({ user: text.slice(0, colon), password: text.slice(colon + 1) })
  throw new OptionError('bad-auth', '--auth takes name:password')
}

function importanceOf(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value < Infinity) return value
  throw new OptionError('bad-importance', `--importance takes a number from 0; got "${text}"`)
}
