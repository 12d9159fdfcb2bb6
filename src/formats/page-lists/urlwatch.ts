import type { Json } from '../../model/units.js'
import { isRecord, ListedPages, literalExpression, type PageList, textsOf } from './wanted-page.js'

/** Directives that change nothing of what is compared or asked for here. */
const harmless = new Set([
  'name',
  'url',
  'navigate',
  'kind',
  'filter',
  'headers',
  'note',
  'max_tries',
  'index_number',
  'tags',
  'enabled',
  'user_visible_url',
  'cookies',
  'encoding',
  'timeout',
  'diff_tool',
  'compared_versions',
  'treat_new_as_changed',
])

/** Filters that are the usual way of reading here. */
const usual = new Set([
  'html2text',
  'strip',
  'beautify',
  'format-json',
  'pdf2text',
  'format-xml',
  'remove-duplicate-lines',
  'striplines',
])

interface JobRules {
  select: string[]
  ignore: string[]
  ignoreLines: string[]
  ignoreText: string[]
}

/**
 * Jobs of urlwatch, from its urls.yaml: documents of one job each.
 * https://urlwatch.readthedocs.io/en/latest/jobs.html, .../filters.html
 */
export function readUrlwatch(documents: readonly unknown[]): PageList | null {
  const jobs = documents.filter((each) => each !== null && each !== undefined)
  const isJob = (job: unknown) =>
    isRecord(job) &&
    ['url', 'navigate', 'command', 'shell'].some((name) => typeof job[name] === 'string')
  if (jobs.length === 0 || !jobs.some(isJob)) return null
  const listed = new ListedPages()
  for (const [i, job] of jobs.entries()) {
    if (!isRecord(job) || !isJob(job)) listed.leave(`job ${i + 1}`, 'this is no job: it has no url')
    else take(job, listed, i)
  }
  return listed.as('urlwatch')
}

function take(job: Readonly<Record<string, unknown>>, listed: ListedPages, i: number): undefined {
  const url = job.url ?? job.navigate
  const name = typeof job.name === 'string' ? job.name : null
  const entry = typeof url === 'string' ? url : (name ?? `job ${i + 1}`)
  if (typeof url !== 'string')
    return listed.leave(entry, 'runs a command; only web pages are watched')
  if (job.enabled === false) return listed.leave(entry, 'is not enabled there, and was not taken')
  if (job.data !== undefined || (typeof job.method === 'string' && !/^get$/i.test(job.method)))
    return listed.leave(entry, 'sends data or uses another method than GET; pages are only read')
  const reading: JobRules = { select: [], ignore: [], ignoreLines: [], ignoreText: [] }
  for (const filter of filtersOf(job.filter))
    takeFilter(filter, { reading, leave: (what) => listed.leave(entry, what) })
  for (const directive of Object.keys(job))
    if (!harmless.has(directive)) listed.leave(entry, `${directive} has no equivalent`)
  const headers = headersOf(job)
  const rules = Object.fromEntries(Object.entries(reading).filter(([, list]) => list.length > 0))
  const tags = textsOf(job.tags)
  listed.pages.push({
    url,
    ...(tags.length === 0 ? {} : { tags }),
    settings: {
      ...(name === null || name.trim() === '' ? {} : { title: name.trim().slice(0, 300) }),
      ...(job.navigate === undefined ? {} : { browser: true }),
      ...(headers === null ? {} : { headers }),
      ...(Object.keys(rules).length === 0 ? {} : { reading: rules as unknown as Json }),
    },
  })
}

interface Filter {
  readonly name: string
  readonly value: unknown
}

/** A name, `name:value` with commas between them (the former way), or a list of names and `{name: value}`. */
function filtersOf(filter: unknown): Filter[] {
  if (typeof filter === 'string')
    return filter.split(',').map((each) => {
      const colon = each.indexOf(':')
      return colon < 0
        ? { name: each.trim(), value: undefined }
        : { name: each.slice(0, colon).trim(), value: each.slice(colon + 1) }
    })
  if (!Array.isArray(filter)) return isRecord(filter) ? entriesOf(filter) : []
  return filter.flatMap((each) =>
    typeof each === 'string'
      ? [{ name: each, value: undefined }]
      : isRecord(each)
        ? entriesOf(each)
        : [],
  )
}

function entriesOf(filter: Readonly<Record<string, unknown>>): Filter[] {
  return Object.entries(filter).map(([name, value]) => ({ name, value }))
}

function takeFilter(
  { name, value }: Filter,
  { reading, leave }: { readonly reading: JobRules; readonly leave: (what: string) => undefined },
): undefined {
  if (usual.has(name)) return
  const text = typeof value === 'string' ? value : undefined
  if (name === 'css') return takeCss(value, { reading, leave })
  if (name === 'element-by-id' && text !== undefined) reading.select.push(`[id="${quoted(text)}"]`)
  else if (name === 'element-by-class' && text !== undefined)
    reading.select.push(`[class~="${quoted(text)}"]`)
  else if (name === 'element-by-tag' && text !== undefined && /^[\w-]+$/.test(text))
    reading.select.push(text)
  else if (name === 'delete_lines_containing' || name === 'grepi') {
    const expression =
      text ??
      (isRecord(value)
        ? typeof value.re === 'string'
          ? value.re
          : literal(value.text)
        : undefined)
    if (expression === undefined) leave(`filter ${name} without its text`)
    else
      reading.ignoreLines.push(
        name === 'grepi' ? expression : text === undefined ? expression : literal(text)!,
      )
  } else if (name === 're.sub') {
    const pattern =
      text ?? (isRecord(value) && typeof value.pattern === 'string' ? value.pattern : undefined)
    const replaced = isRecord(value) && typeof value.repl === 'string' ? value.repl : ''
    if (pattern === undefined) leave('filter re.sub without its pattern')
    else if (replaced !== '') leave(`filter re.sub with a text in its place: ${pattern}`)
    else reading.ignoreText.push(pattern)
  } else leave(`filter ${name}${text === undefined ? '' : `: ${text}`}`)
}

function takeCss(
  value: unknown,
  { reading, leave }: { readonly reading: JobRules; readonly leave: (what: string) => undefined },
): undefined {
  const selector = typeof value === 'string' ? value : isRecord(value) ? value.selector : undefined
  if (typeof selector !== 'string') return leave('filter css without its selector')
  reading.select.push(selector)
  if (!isRecord(value)) return
  if (typeof value.exclude === 'string') reading.ignore.push(value.exclude)
  for (const name of Object.keys(value))
    if (!['selector', 'exclude', 'method'].includes(name)) leave(`${name} of filter css`)
}

function literal(text: unknown): string | undefined {
  return typeof text === 'string' ? literalExpression(text) : undefined
}

function quoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&')
}

function headersOf({
  headers,
  cookies,
}: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const all = isRecord(headers)
    ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
    : []
  const jar = isRecord(cookies)
    ? Object.entries(cookies).map(([name, value]) => `${name}=${String(value)}`)
    : []
  const given = jar.length === 0 ? all : [...all, ['cookie', jar.join('; ')]]
  return given.length === 0 ? null : Object.fromEntries(given)
}
