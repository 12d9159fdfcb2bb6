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
}

/**
 * Watches of changedetection.io: its url-watches.json, which is in its backup,
 * or the answer of its API's /api/v1/watch. Settings by their names in its API's
 * description.
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
  const names = tagNames(value)
  const listed = new ListedPages()
  for (const [, watch] of watches) take(watch as Watch, { listed, names })
  return listed.as('changedetection.io')
}

function tagNames(value: Watch): ReadonlyMap<string, string> {
  const application =
    isRecord(value.settings) && isRecord(value.settings.application)
      ? value.settings.application
      : {}
  const tags = isRecord(application.tags) ? Object.entries(application.tags) : []
  return new Map(
    tags.flatMap(([id, tag]) =>
      isRecord(tag) && typeof tag.title === 'string' ? [[id, tag.title] as const] : [],
    ),
  )
}

function take(
  watch: Watch,
  { listed, names }: { readonly listed: ListedPages; readonly names: ReadonlyMap<string, string> },
): undefined {
  const url = String(watch.url)
  const leave = (what: string) => listed.leave(url, what)
  if (isSet(watch.method) && !/^get$/i.test(String(watch.method)))
    return leave('uses another method than GET; pages are only read')
  if (watch.paused === true) leave('is paused there; here it is watched')
  for (const [name, says] of Object.entries(unlike))
    if (says(watch[name])) leave(`${name} has no equivalent`)
  if (isSet(watch.processor) && watch.processor !== 'text_json_diff')
    leave(`processor ${String(watch.processor)} has no equivalent`)
  const tags = tagsOf(watch, { names, leave })
  const reading = readingOf(watch, leave)
  const headers = isRecord(watch.headers) ? Object.entries(watch.headers) : []
  const longest = secondsOf(watch.time_between_check)
  const ownTime = watch.time_between_check_use_default !== true
  listed.pages.push({
    url,
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
  {
    names,
    leave,
  }: { readonly names: ReadonlyMap<string, string>; readonly leave: (what: string) => undefined },
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
        const name = names.get(id)
        if (name !== undefined) return [name]
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

/** `/expression/` or words as they are. */
function expressionOf(text: string): string {
  const found = /^\/(.*)\/\w*$/.exec(text)
  return found === null ? literalExpression(text) : found[1]!
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
