import { basicAuthorization } from '../../../crawl/index.js'
import { type ChosenSettings, checkPageHeaders, OptionError } from '../../../model/index.js'
import { objectiveNamed, parseAllowedHours } from '../../../schedule/index.js'
import { chosenPolicy } from '../../config/chosen-policy.js'
import { parseDuration } from '../../text/parse-duration.js'
import { discoverOf } from './discover-option.js'
import { readingOf } from './reading-options.js'
import type { WatchFlags } from './watch-flags.js'

/** What a person chose for the pages, checked; empty where nothing was, null where it is taken away. */
export interface PageOptions {
  readonly group?: string | null
  readonly importance?: number
  readonly settings?: ChosenSettings
}

/** Takes a page's own choice away, so that it is again as all others are. */
const none = 'none'
const usualImportance = 1

export function pageOptions(flags: WatchFlags): PageOptions {
  const settings = given(pageSettings(flags))
  return {
    ...given({
      group: unlessNone(flags.group, (text) => text),
      importance: flags.importance === undefined ? undefined : importanceOf(flags.importance),
    }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** By name, undefined where nothing was said. */
function pageSettings(flags: WatchFlags) {
  return {
    reading: readingOf(flags),
    noiseCheck: flags.noiseCheck,
    browser: flags.browser === false ? null : flags.browser,
    hours: unlessNone(flags.hours, checked(parseAllowedHours)),
    policy: unlessNone(flags.policy, checked(chosenPolicy)),
    objective: unlessNone(flags.objective, objectiveNamed),
    ...gapLimits(flags),
    headers: headersOf(flags),
    discover: discoverOf(flags),
  }
}

/** Only what something was said about. */
function given<T extends object>(all: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const said = Object.entries(all).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as { [Name in keyof T]?: Exclude<T[Name], undefined> }
}

function unlessNone<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  return text === undefined ? undefined : text === none ? null : read(text)
}

/** Kept as it was written, once it can be read. */
function checked(read: (text: string) => unknown): (text: string) => string {
  return (text) => {
    read(text)
    return text
  }
}

/** The shortest and the longest gap of a page, in seconds. */
function gapLimits(flags: WatchFlags) {
  const shortest = unlessNone(flags.shortest, (text) => parseDuration(text, '--shortest'))
  const longest = unlessNone(flags.longest, (text) => parseDuration(text, '--longest'))
  if ((shortest ?? 0) <= (longest ?? Infinity)) return { shortest, longest }
  throw new OptionError('bad-limits', '--shortest must not be longer than --longest')
}

/** Those of --header and --auth together are one setting: given again, they replace all that were there. */
function headersOf({ header, auth }: WatchFlags): Record<string, string> | null | undefined {
  if (header === undefined && auth === undefined) return undefined
  const lines = (header ?? []).filter((line) => line !== none)
  const headers: Record<string, string> = Object.fromEntries(lines.map(headerOf))
  checkPageHeaders(headers)
  if (auth !== undefined && auth !== none) headers.authorization = authorizationOf(auth)
  return Object.keys(headers).length === 0 ? null : headers
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
  if (text === none) return usualImportance
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value < Infinity) return value
  throw new OptionError(
    'bad-importance',
    `--importance takes a number from 0, or none; got "${text}"`,
  )
}
