import { crawlerDefaults } from '../../crawler/settings.js'
import { MINUTE } from '../../model/units.js'
import { defaultRetry } from '../../notify/delivery.js'
import { defaultRetention } from '../../store/rules.js'
import {
  budget,
  bytes,
  contact,
  count,
  database,
  duration,
  hostList,
  hours,
  type Kind,
  logLevel,
  nameList,
  networkList,
  objective,
  objectivesByGroup,
  onOff,
  orNone,
  policy,
  port,
  product,
  proxy,
  share,
  smtpAddress,
  text,
  webAddress,
  yesNo,
} from './setting-kinds.js'

/** One setting: its kind, its default, and one line for a person. */
export interface Setting<T> {
  readonly kind: Kind<T>
  readonly default: T
  readonly summary: string
}

function setting<T>(kind: Kind<T>, standard: T, summary: string): Setting<T> {
  return { kind, default: standard, summary }
}

/**
 * The settings by topic. `allowedNetworks` here is `allowed-networks` in the
 * file, REVISIT_ALLOWED_NETWORKS in the environment and --allowed-networks on
 * the command line; docs/reference/configuration.md has the same table.
 */
const byTopic = {
  basics: topic('what is worked on', {
    database: setting(
      database,
      'revisit.db',
      'what holds everything: a file, or a PostgreSQL database (postgres://user@host/name) for many machines',
    ),
    collection: setting(text, crawlerDefaults.collection, 'the collection of pages to work on'),
    contact: setting(
      orNone(contact),
      crawlerDefaults.contact,
      'how to reach you, sent to servers; needed for public hosts',
    ),
    product: setting(
      orNone(product),
      crawlerDefaults.product,
      'a product name of yours before ours in the User-Agent, such as MyArchive/1.0',
    ),
    proxy: setting(
      orNone(proxy),
      crawlerDefaults.proxy,
      'a proxy through which servers are asked: http, https or socks5',
    ),
  }),
  planning: topic('when pages are visited', {
    policy: setting(policy, crawlerDefaults.policy, 'the policy that decides when a page is due'),
    objective: setting(
      objective,
      crawlerDefaults.objective,
      'what the policy auto visits pages for: freshness, delay (mean time from a change to its notice) or changes-caught',
    ),
    groupObjectives: setting(
      objectivesByGroup,
      crawlerDefaults.groupObjectives,
      'the same for pages of a group, or of a host: prices=delay, news.example.org=changes-caught',
    ),
    budget: setting(
      orNone(budget),
      crawlerDefaults.budget,
      'requests that the policy auto spends: a day in all (5000), or a page and day (0.5/page)',
    ),
    hints: setting(
      onOff,
      crawlerDefaults.hints,
      "whether publishers' hints that proved right move the visits of the policy auto",
    ),
    shortestGap: setting(
      orNone(duration),
      crawlerDefaults.shortestGap,
      'no page is visited again sooner than this, unless its own longest gap is shorter',
    ),
    longestGap: setting(
      orNone(duration),
      crawlerDefaults.longestGap,
      'no page waits longer than this, unless its own shortest gap is longer',
    ),
    hours: setting(
      orNone(hours),
      crawlerDefaults.hours,
      'hours in which pages may be visited, in UTC',
    ),
    neighbours: setting(
      hostList,
      [] as readonly string[],
      'no longer needed: sites that republish at once prove themselves',
    ),
  }),
  politeness: topic('how hosts are spared', {
    delay: setting(duration, crawlerDefaults.delay, 'rest of a host between two requests'),
    longestDelay: setting(
      duration,
      crawlerDefaults.longestDelay,
      'the longest Crawl-delay that is honoured',
    ),
    firstBackoff: setting(
      duration,
      crawlerDefaults.firstBackoff,
      'rest of a host after a failure; it doubles',
    ),
    longestBackoff: setting(
      duration,
      crawlerDefaults.longestBackoff,
      'the longest rest after failures',
    ),
    retryAfter: setting(
      duration,
      crawlerDefaults.retryAfter,
      'the longest Retry-After that is honoured',
    ),
    requestsPerDay: setting(
      orNone(count(1)),
      crawlerDefaults.requestsPerDay,
      'at most so many requests a day (UTC) in all, whatever the budget asks for',
    ),
    hostRequestsPerDay: setting(
      orNone(count(1)),
      crawlerDefaults.hostRequestsPerDay,
      'budget of requests a day for each host',
    ),
    allowedNetworks: setting(
      networkList,
      crawlerDefaults.allowedNetworks,
      'private networks that may be visited',
    ),
  }),
  limits: topic('limits of one visit', {
    connectTime: setting(duration, crawlerDefaults.connectTime, 'limit on connecting'),
    firstByteTime: setting(
      duration,
      crawlerDefaults.firstByteTime,
      'limit on waiting for the end of the headers',
    ),
    wholeTime: setting(duration, crawlerDefaults.wholeTime, 'limit on a whole visit'),
    leastSpeed: setting(
      bytes,
      crawlerDefaults.leastSpeed,
      'limit on slowness: bytes a second of a content, over ten seconds; 0 for any',
    ),
    headerBytes: setting(bytes, crawlerDefaults.headerBytes, 'limit on the headers of an answer'),
    bodyBytes: setting(bytes, crawlerDefaults.bodyBytes, 'limit on the content, unpacked'),
    redirects: setting(count(0), crawlerDefaults.redirects, 'limit on redirects in a row'),
  }),
  comparing: topic('what is asked for and compared', {
    unconditionalShare: setting(
      share,
      crawlerDefaults.unconditionalShare,
      'share of visits that ask for the content in any case, to catch a 304 that lies; more at the first visits of pages that are asked by a date alone; 0 for never',
    ),
    noiseWait: setting(
      duration,
      crawlerDefaults.noiseWait,
      'how long after a first visit or a change a watched page is fetched again, to tell noise; 0: never',
    ),
    dropTracking: setting(
      yesNo,
      crawlerDefaults.dropTracking,
      'leave tracking parameters (utm_source ...) out of addresses',
    ),
    browserPath: setting(
      orNone(text),
      crawlerDefaults.browserPath,
      "the Chromium or Chrome that renders pages; none looks for playwright's, then for the system's",
    ),
    browserSandbox: setting(
      onOff,
      crawlerDefaults.browserSandbox,
      'the browser that renders pages confines them to its sandbox; off lets it start where it cannot, as for root',
    ),
  }),
  running: topic('how run and serve go about it', {
    concurrency: setting(
      count(1),
      crawlerDefaults.concurrency,
      'visits under way at once, over all hosts; those that take longer than half a second leave their place to others',
    ),
    leaseTime: setting(
      duration,
      crawlerDefaults.leaseTime,
      'how long a page is held for one visit',
    ),
    pollEvery: setting(
      duration,
      crawlerDefaults.pollEvery,
      'how often to poll for pages added meanwhile',
    ),
    databasePatience: setting(
      duration,
      10 * MINUTE,
      'how long worker, serve and run wait for a PostgreSQL server that cannot be reached, at the start and later',
    ),
  }),
  keeping: topic('what is kept', {
    keepVersions: setting(count(1), defaultRetention.newest, 'newest versions of a page to keep'),
    keepTime: setting(
      duration,
      defaultRetention.youngerThan,
      'versions younger than this are kept',
    ),
  }),
  serving: topic('the service', {
    listen: setting(
      text,
      '127.0.0.1',
      'address that serve listens on; off loopback it asks for a key',
    ),
    port: setting(port, 7400, 'port that serve listens on; 0 takes any free one'),
    allowedHosts: setting(
      nameList,
      [] as readonly string[],
      'names beside localhost under which serve is asked, such as those of a proxy',
    ),
    requireKey: setting(yesNo, false, 'serve asks for a key on loopback too'),
    requestsPerSecond: setting(
      count(1),
      100,
      'requests a second that serve takes from one address',
    ),
    logLevel: setting(logLevel, 'info', 'what serve logs: error, warn, info or debug'),
  }),
  notifying: topic('notifications', {
    smtp: setting(orNone(smtpAddress), null, 'the mail server for notifications'),
    mailFrom: setting(orNone(text), null, 'who mails of notifications are from'),
    notifyNetworks: setting(
      networkList,
      [] as readonly string[],
      'private networks that webhooks and ntfy may lead to',
    ),
    notifyCommands: setting(yesNo, false, 'whether channels may run commands on this machine'),
    dashboardAddress: setting(
      orNone(webAddress),
      null,
      'where people reach the dashboard, for links in notifications, such as https://revisit.example.org',
    ),
    notifyGiveUp: setting(
      duration,
      defaultRetry.giveUpAfter,
      'how long a notification is tried before it is given up',
    ),
  }),
}

function topic<Settings>(title: string, own: Settings): { title: string; settings: Settings } {
  return { title, settings: own }
}

/** Every setting. */
export const settings = {
  ...byTopic.basics.settings,
  ...byTopic.planning.settings,
  ...byTopic.politeness.settings,
  ...byTopic.limits.settings,
  ...byTopic.comparing.settings,
  ...byTopic.running.settings,
  ...byTopic.keeping.settings,
  ...byTopic.serving.settings,
  ...byTopic.notifying.settings,
}

export type SettingKey = keyof typeof settings
export const settingKeys = Object.keys(settings) as SettingKey[]

/** The value of every setting. */
export type Configuration = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends Setting<infer T> ? T : never
}

/** Its name in the file, and on the command line after `--`. */
export function fileName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function variableName(key: string): string {
  return `REVISIT_${fileName(key).replaceAll('-', '_').toUpperCase()}`
}

export function flagName(key: string): string {
  return `--${fileName(key)}`
}

/** Accepted, since files say them, and shown nowhere: they change nothing any more. */
export const retiredSettings: ReadonlySet<string> = new Set(['neighbours'])

/** The topics that `revisit help settings` goes by, each with its settings. */
export const settingTopics: ReadonlyArray<{
  readonly name: string
  readonly title: string
  readonly keys: readonly SettingKey[]
}> = Object.entries(byTopic).map(([name, { title, settings: own }]) => ({
  name,
  title,
  keys: Object.keys(own).filter((key) => !retiredSettings.has(key)) as SettingKey[],
}))

/**
 * Settings that were renamed, by what they were called: taken under the old
 * name too, on the command line, in the environment and in the file, with a
 * warning. An entry goes once a minor version was out with it.
 */
export const formerNames: Readonly<Record<string, SettingKey>> = {
  lookAgain: 'pollEvery',
}

/** Settings that stand in every command's help. */
const inEveryHelp: ReadonlySet<SettingKey> = new Set(['database', 'collection'])

/** The settings as options of a command, but for those that it has an option of its own for. */
export function settingOptions(
  without: readonly SettingKey[] = [],
): { readonly written: string; readonly about: string; readonly hidden: boolean }[] {
  const named = settingKeys
    .filter((key) => !without.includes(key))
    .map((key) => ({
      written: `${flagName(key)} <value>`,
      about: settingText(key),
      hidden: !inEveryHelp.has(key),
    }))
  const former = Object.keys(formerNames).map((name) => ({
    written: `${flagName(name)} <value>`,
    about: `now ${flagName(formerNames[name]!)}`,
    hidden: true,
  }))
  // After --hints: alone it would say "on" where nothing is said, over file and environment.
  return [...named, ...former, { written: '--no-hints', about: '--hints off', hidden: true }]
}

/** What a setting is, and its default. */
export function settingText(key: SettingKey): string {
  const { kind, summary, default: standard } = settings[key] as Setting<unknown>
  return `${summary} (default: ${kind.write(standard)})`
}
