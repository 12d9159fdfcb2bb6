import { DAY, HOUR, type Json, MINUTE, WEEK } from '../../model/units.js'
import { isRecord, ListedPages, literalExpression, type PageList, textsOf } from './wanted-page.js'

type Watch = Readonly<Record<string, unknown>>

/** Settings that have no equivalent, with when they say something. */
const unlike: Readonly<Record<string, (value: unknown) => boolean>> = {
  body: isSet,
  browser_steps: (value) =>
    Array.isArray(value) &&
    value.some(
      (step) =>
        isRecord(step) &&
        isSet(step.operation) &&
        step.operation !== 'Choose one' &&
        step.operation !== 'Goto site',
    ),
  conditions: isSet,
  extract_text: isSet,
  text_should_not_be_present: isSet,
  notification_urls: isSet,
  notification_title: isSet,
  notification_body: isSet,
  proxy: isSet,
  sort_text_alphabetically: (value) => value === true,
  check_unique_lines: (value) => value === true,
  webdriver_js_execute_code: isSet,
  filter_text_removed: (value) => value === false,
  filter_text_added: (value) => value === false,
  filter_text_replaced: (value) => value === false,
  extract_lines_containing: isSet,
  ignore_status_codes: isSet,
  time_schedule_limit: (value) => isRecord(value) && value.enabled === true,
  webdriver_delay: isSet,
}

/** Settings of all watches that have no equivalent, or whose equivalent is one of this program's own. */
const unlikeForAll = ['headers', 'notification_urls', 'proxy']

/** Lists that hold for a watch with those of its tags; some with those of all watches too. */
const merged = [
  'include_filters',
  'subtractive_selectors',
  'ignore_text',
  'trigger_text',
  'extract_text',
  'extract_lines_containing',
  'text_should_not_be_present',
]

/**
 * Watches of changedetection.io: its url-watches.json, which is in its backup,
 * or the answer of its API's /api/v1/watch. Settings by their names in its API's
 * description; those of a watch's tags and of all watches hold for it too.
 */
export function readChangedetection(value: unknown): PageList | null {
  if (!isRecord(value)) return null
  const watching = isRecord(value.watching) ? value.watching : value
  const watches = Object.entries(watching).filter(
    ([, each]) => isRecord(each) && typeof each.url === 'string',
  )
  if (
    watches.length === 0 ||
    (!isRecord(value.watching) && !watches.every(([id]) => /^[\da-f-]{32,36}$/i.test(id)))
  )
    return null
  const listed = new ListedPages()
  const common = commonOf(value)
  for (const name of unlikeForAll)
    if (isSet(common.requests[name]) || isSet(common.application[name]) || isSet(common.all[name]))
      listed.leave('settings of all pages', `${name} has no equivalent in a list of pages`)
  for (const tag of Object.values(common.tags))
    if (isRecord(tag) && isSet(tag.notification_urls))
      listed.leave(`tag ${String(tag.title)}`, 'notification_urls has no equivalent')
  for (const [, watch] of watches) take(watch as Watch, { listed, common })
  return listed.as('changedetection.io')
}

/** What holds for more than one watch. */
interface Common {
  readonly all: Watch
  readonly application: Watch
  readonly requests: Watch
  readonly tags: Watch
}

function commonOf({ settings }: Watch): Common {
  const part = (of: Watch, name: string) => (isRecord(of[name]) ? of[name] : {})
  const all = isRecord(settings) ? settings : {}
  const application = part(all, 'application')
  return { all, application, requests: part(all, 'requests'), tags: part(application, 'tags') }
}

/** A watch with what its tags and all watches add to its lists, and the way of fetching where it has none of its own. */
function whole(watch: Watch, { application, tags }: Common): Watch {
  const own = textsOf(watch.tags).map((id) => (isRecord(tags[id]) ? tags[id] : {}))
  const lists = merged.map((name) => {
    const all = [watch, ...own].flatMap((each) => textsOf(each[name]))
    return [name, [...new Set([...all, ...textsOf(application[`global_${name}`])])]]
  })
  const backend = watch.fetch_backend ?? 'system'
  return {
    ...watch,
    ...Object.fromEntries(lists),
    fetch_backend: backend === 'system' ? application.fetch_backend : backend,
  }
}

function take(
  alone: Watch,
  { listed, common }: { readonly listed: ListedPages; readonly common: Common },
): undefined {
  const watch = whole(alone, common)
  const source = /^source:/i.test(String(watch.url))
  const url = String(watch.url).replace(/^source:/i, '')
  const leave = (what: string) => listed.leave(url, what)
  if (/\{[{%]/.test(url)) return leave('has a template in its address, and was not taken')
  if (isSet(watch.method) && !/^get$/i.test(String(watch.method)))
    return leave('uses another method than GET; pages are only read')
  for (const [name, says] of Object.entries(unlike))
    if (says(watch[name])) leave(`${name} has no equivalent`)
  if (watch.processor === 'restock_diff')
    leave('processor restock_diff: price and stock are conditions of a channel of notifications')
  else if (isSet(watch.processor) && watch.processor !== 'text_json_diff')
    leave(`processor ${String(watch.processor)} has no equivalent`)
  const tags = tagsOf(watch, { common, leave })
  const reading = { ...(source ? { compare: 'bytes' } : {}), ...readingOf(watch, leave) }
  const headers = isRecord(watch.headers) ? Object.entries(watch.headers) : []
  const longest = secondsOf(watch.time_between_check)
  const ownTime = watch.time_between_check_use_default !== true
  listed.pages.push({
    url,
    ...(watch.paused === true ? { paused: true } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    settings: {
      ...(isSet(watch.title) ? { title: String(watch.title).trim().slice(0, 300) } : {}),
      ...(Object.keys(reading).length === 0 ? {} : { reading: reading as unknown as Json }),
      ...(headers.length === 0
        ? {}
        : {
            headers: Object.fromEntries(
              headers.map(([name, value]) => [name.toLowerCase(), String(value)]),
            ),
          }),
      ...(watch.fetch_backend === 'html_webdriver' ? { browser: true } : {}),
      ...(watch.notification_muted === true ? { mute: true as const } : {}),
      ...(longest > 0 && ownTime ? { longest } : {}),
    },
  })
}

/** By their ids, or as a text of names with commas between them. */
function tagsOf(
  watch: Watch,
  { common, leave }: { readonly common: Common; readonly leave: (what: string) => undefined },
): string[] {
  const former =
    typeof watch.tag === 'string'
      ? watch.tag
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean)
      : []
  return [
    ...new Set([
      ...former,
      ...textsOf(watch.tags).flatMap((id) => {
        const tag = common.tags[id]
        if (isRecord(tag) && typeof tag.title === 'string') return [tag.title]
        if (!/^[\da-f-]{32,36}$/i.test(id)) return [id]
        leave(`tag ${id}, whose name is not in the file`)
        return []
      }),
    ]),
  ]
}

function readingOf(
  watch: Watch,
  leave: (what: string) => undefined,
): Record<string, readonly string[]> {
  const select: string[] = []
  for (const filter of [...textsOf(watch.include_filters), ...textsOf(watch.css_filter)])
    if (/^(xpath1?:|\/)/i.test(filter))
      leave(`include filter ${filter}: XPath; choose a CSS selector`)
    else if (/^(json|jq|jqraw):/i.test(filter))
      leave(`include filter ${filter}: JSON is compared whole, without the paths that are ignored`)
    else select.push(filter)
  const ignore: string[] = []
  for (const selector of textsOf(watch.subtractive_selectors))
    if (/^(xpath1?:|\/)/i.test(selector))
      leave(`remove element ${selector}: XPath; choose a CSS selector`)
    else ignore.push(selector)
  const ignoreLines = textsOf(watch.ignore_text).map(expressionOf)
  const appear: string[] = []
  for (const text of textsOf(watch.trigger_text))
    if (/^\/.*\/\w*$/.test(text))
      leave(`trigger ${text}: an expression; choose the words themselves`)
    else appear.push(text)
  const all = { select, ignore, ignoreLines, appear }
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0))
}

/** `/expression/flags`, or words as they are, in small letters or large. */
function expressionOf(text: string): string {
  const found = /^\/(.*)\/(\w*)$/.exec(text)
  if (found === null) return `(?i)${literalExpression(text)}`
  return `${found[2]!.includes('i') ? '(?i)' : ''}${found[1]}`
}

function secondsOf(value: unknown): number {
  if (!isRecord(value)) return 0
  const units = { weeks: WEEK, days: DAY, hours: HOUR, minutes: MINUTE, seconds: 1 }
  return Object.entries(units).reduce(
    (sum, [name, unit]) => sum + (Number(value[name]) || 0) * unit,
    0,
  )
}

function isSet(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some((each) => each !== '')
    : value !== undefined &&
        value !== null &&
        value !== '' &&
        value !== false &&
        !(isRecord(value) && Object.keys(value).length === 0)
}
