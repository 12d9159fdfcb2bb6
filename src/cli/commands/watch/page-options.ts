import { readingRules } from '../../../content/reading-rules.js'
import { openPagePlans } from '../../../crawler/page-planners.js'
import { basicAuthorization } from '../../../fetch/http-request.js'
import { checkPageHeaders } from '../../../fetch/page-headers.js'
import { proxyAddress } from '../../../fetch/proxy.js'
import { shown } from '../../../formats/printable-text.js'
import { browserSteps, stepForms } from '../../../model/browser-steps.js'
import { humanDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import { given } from '../../../model/given.js'
import { type ChosenSettings, mostTags, type NewPage, withChosen } from '../../../model/page.js'
import type { Store } from '../../../model/store.js'
import type { Json } from '../../../model/units.js'
import { movesPlan } from '../../../planner/collection/replan.js'
import { policyOf } from '../../../planner/registry.js'
import { objectiveNamed } from '../../../planner/value/objective.js'
import { parseAllowedHours } from '../../../policies/allowed-hours.js'
import { defaultDiscovery } from '../../../visit/discovery.js'
import type { FlagsOf } from '../../command.js'
import { type Configured, type CrawlerFlags, crawlerOptions } from '../../configured.js'
import { count } from '../../text/numbers.js'
import { positiveDuration } from '../../text/time.js'

const found = count(0, 9_999_999)

/** The options of `revisit watch`. */
export const watchOptions = [
  ['--group <name>', 'pages assumed to change alike'],
  ['--tag <words...>', 'further groups to find them by; none takes all away'],
  ['--importance <number>', 'value of a fresh copy beside the others (default: 1)'],
  ['--hours <hours>', 'hours in UTC in which it may be visited: "mon-fri 8-18; sat 10-12"'],
  ['--policy <name>', 'a policy of its own, such as fixed:gap=1d'],
  [
    '--objective <name>',
    'what it is visited for: freshness, delay (from a change to its notice) or changes-caught',
  ],
  ['--shortest <duration>', 'never visited again sooner than this'],
  ['--longest <duration>', 'never left longer than this'],
  ['--header <line...>', 'a header to send to the page\'s own site, such as "Cookie: a=b"'],
  ['--auth <name:password>', "basic authentication, at the page's own site"],
  [
    '--compare <by>',
    'bytes, text, words-and-links, near-duplicate or, with --browser, pixels (default: text)',
  ],
  ['--bits <count>', 'near-duplicate: bits of 64 that may differ (default: 3)'],
  ['--pixels <percent>', 'pixels: of a hundred that may differ (default: 0.1)'],
  ['--select <css...>', 'only these parts of the page count'],
  ['--ignore <css...>', 'these parts do not count'],
  ['--ignore-text <regex...>', 'what matches in a line does not count'],
  ['--ignore-lines <regex...>', 'lines with a match do not count'],
  ['--ignore-paths <path...>', 'JSON: these do not count, such as $..updated'],
  ['--appear <words...>', 'a change counts only when one of these appears'],
  ['--disappear <words...>', 'a change counts only when one of these disappears'],
  ['--read-plainly', 'take back --compare and all from there to here'],
  ['--noise-check', 'check twice to tell noise from change (the default)'],
  ['--no-noise-check', 'do not check twice to tell noise from change'],
  ['--title <text>', 'a title of your own instead of its own; none takes it away'],
  ['--hide-new-texts', 'where several texts take turns, new ones are noise, too'],
  ['--no-hide-new-texts', 'new texts count as changes again'],
  ['--mute', 'notify nobody of its changes'],
  ['--no-mute', 'notify of its changes again'],
  ['--browser', 'let a browser render the page, where scripts make it (needs a Chromium)'],
  ['--no-browser', 'no longer render it in a browser'],
  ['--screenshot', 'with --browser, keep a screenshot with each version'],
  ['--no-screenshot', 'keep no more screenshots'],
  ['--proxy <address>', 'a proxy of its own: http, https or socks5; none takes it away'],
  [
    '--step <text>',
    `with --browser, what to do before the page counts, in this order: ${stepForms}; none for no step`,
    'again',
  ],
  ['--as <kind>', 'take the addresses given for a page or for a list'],
  ['--discover', 'follow pages that they lead to too: links within the host, sitemaps, feeds'],
  ['--no-discover', 'follow no more pages that they lead to'],
  ['--depth <count>', 'with --discover: links to follow one after another (default: 3)', found],
  ['--pages <count>', 'with --discover: pages found on a host at most (default: 1000)', found],
  ['--include <pattern...>', 'with --discover: only such addresses, as /docs/* or *.html'],
  ['--exclude <pattern...>', 'with --discover: no such addresses'],
  ['--any-host', 'take addresses of other hosts from a fetched sitemap too'],
] as const

export type WatchFlags = FlagsOf<typeof watchOptions> & CrawlerFlags

/** The rules to find pages by; null where none are to be found any more, undefined where nothing was set. */
function discoverOf(flags: WatchFlags): Json | undefined {
  const { discover, depth, pages, include = [], exclude = [] } = flags
  if (discover !== true) {
    const alone = {
      '--depth': depth,
      '--pages': pages,
      '--include': flags.include,
      '--exclude': flags.exclude,
    }
    const [first] = Object.keys(given(alone))
    if (first === undefined) return discover === false ? null : undefined
    throw new OptionError('bad-option', `${first} goes with --discover`)
  }
  return { ...defaultDiscovery, ...given({ depth, pages }), include, exclude }
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
  const pixels = flags.pixels === undefined ? [] : [['pixels', Number(flags.pixels)] as const]
  if (chosen.length + bits.length + pixels.length === 0)
    return flags.readPlainly === true ? null : undefined
  const rules = Object.fromEntries([...chosen, ...bits, ...pixels]) as Json
  readingRules(rules)
  return rules
}

/** What a person chose for the pages, checked; empty where nothing was, null where it is taken away. */
export interface PageOptions {
  readonly group?: string | null
  readonly tags?: readonly string[]
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
      tags: flags.tag === undefined ? undefined : tagsOf(flags.tag),
      importance: flags.importance === undefined ? undefined : importanceOf(flags.importance),
    }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** By name, undefined where nothing was set. */
function pageSettings(flags: WatchFlags) {
  return {
    reading: readingOf(flags),
    title: unlessNone(flags.title, titleOf),
    hideNewTexts: flags.hideNewTexts === false ? null : flags.hideNewTexts,
    noiseCheck: flags.noiseCheck,
    mute: flags.mute === false ? null : flags.mute,
    browser: flags.browser === false ? null : flags.browser,
    screenshot: flags.screenshot === false ? null : flags.screenshot,
    steps: stepsOf(flags.step),
    proxy: unlessNone(flags.proxy, checked(proxyAddress)),
    hours: unlessNone(flags.hours, checked(parseAllowedHours)),
    policy: unlessNone(flags.policy, checked(policyOf)),
    objective: unlessNone(flags.objective, objectiveNamed),
    ...gapLimits(flags),
    headers: headersOf(flags),
    discover: discoverOf(flags),
  }
}

function titleOf(text: string): string {
  const title = text.trim()
  if (title !== '' && title.length <= 300) return title
  throw new OptionError('bad-title', '--title takes a text of up to 300 letters, or none')
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
  const shortest = unlessNone(flags.shortest, (text) => positiveDuration(text, '--shortest'))
  const longest = unlessNone(flags.longest, (text) => positiveDuration(text, '--longest'))
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

/** Given again, they replace all that were there. */
function stepsOf(lines: readonly string[] | undefined): readonly string[] | null | undefined {
  if (lines === undefined) return undefined
  const steps = lines.filter((line) => line !== none)
  browserSteps(steps)
  return steps.length === 0 ? null : steps
}

/** Given again, they replace all that were there. */
function tagsOf(words: readonly string[]): readonly string[] {
  const tags = [...new Set(words.filter((word) => word !== none).map((word) => word.trim()))]
  if (tags.length <= mostTags && tags.every((tag) => tag !== '' && tag.length <= 200)) return tags
  throw new OptionError('bad-tag', `--tag takes ${mostTags} words at most, each up to 200 letters`)
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

/**
 * Refuses a shortest or longest gap that contradicts the other one that a page
 * watched already has. To be asked for all pages before any is changed.
 */
export async function checkLimits(
  { config: { collection } }: Configured,
  { store, urls, options }: { store: Store; urls: Iterable<string>; options: PageOptions },
): Promise<void> {
  const { shortest, longest } = options.settings ?? {}
  // Both together replace what a page has, and were held against each other when they were read.
  if ((shortest === undefined) === (longest === undefined)) return
  for (const url of urls) {
    const known = await store.getPage({ collection, url })
    if (known === null) continue
    const both = { ...known.settings, ...options.settings }
    const [least, most] = [Number(both.shortest ?? 0), Number(both.longest ?? Infinity)]
    if (least > most) throw contradiction(url, { least, most, given: shortest ?? null })
  }
}

function contradiction(
  url: string,
  { least, most, given }: { least: number; most: number; given: unknown },
): OptionError {
  const other = given === null ? '--shortest' : '--longest'
  const [shortest, longest] = [humanDuration(least), humanDuration(most)]
  return new OptionError(
    'bad-limits',
    `--shortest (${shortest}) must not be longer than --longest (${longest}): ${shown(url)} has that ${other} from before; give both`,
  )
}

/** Pages that are watched already take the options of this time too, and are planned by them; tells how many. */
export async function changePages(
  made: Configured,
  about: {
    readonly store: Store
    readonly pages: readonly NewPage[]
    readonly options: PageOptions
  },
): Promise<number> {
  const { store, pages, options } = about
  const { settings, group, tags, importance } = options
  const { collection } = made.config
  const pagePlans = movesPlan(options) ? await openPagePlans(crawlerOptions(made, store)) : null
  let changed = 0
  for (const { url } of pages) {
    const known = await store.getPage({ collection, url })
    if (known === null) continue
    const page = await store.changePage(known, {
      ...(group === undefined ? {} : { group }),
      ...(tags === undefined ? {} : { tags }),
      ...(importance === undefined ? {} : { importance }),
      ...(settings === undefined ? {} : { settings: withChosen(known.settings, settings) }),
    })
    if (page !== null) await pagePlans?.planAnew(page, made.crawler.clock.now())
    changed++
  }
  return changed
}
