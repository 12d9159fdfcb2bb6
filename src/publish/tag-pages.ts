import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Declared } from '../model/hint.js'
import type { UnixSeconds } from '../model/units.js'
import { type FolderRecord, readFolderRecord } from './folder-record.js'
import { ResponseTagger, untaggedValidators } from './response-tagger.js'
import {
  type CountReading,
  declaredChange,
  tagContent,
  weeklyCounts,
  weeksCompared,
} from './tag.js'

export interface TagPagesOptions {
  /** What the page under this path says of its changes; null to leave it as it is. */
  readonly tagFor: (path: string, request: IncomingMessage) => Declared | string | null
}

/** A handler in the form of Express and Connect; with Node's own http it is called first. */
export type TagPagesHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void

/** Headers in which a client sends an ETag back. */
const validators = ['if-none-match', 'if-range'] as const

/**
 * Adds the Change-Frequency tag to pages as they are served. Only what is
 * asked for with GET and answered with 200 and HTML, not packed, is touched;
 * only the head of a page is held back, and the rest flows as before.
 *
 * A range of a page that gets a tag is answered with the whole of it: its bytes
 * are no longer those that the application counts.
 */
export function tagPages({ tagFor }: TagPagesOptions): TagPagesHandler {
  return (request, response, next) => {
    const tag = isRead(request) ? tagFor(pathOf(request), request) : null
    if (tag !== null) {
      const content = typeof tag === 'string' ? tag : tagContent(tag)
      const known = undoValidators(request, content)
      new ResponseTagger(response, { content, method: request.method, known }).attach()
    }
    next?.()
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Express cuts the mount path off `url` and keeps the whole beside it. */
function pathOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const url = request.originalUrl ?? request.url ?? '/'
  return url.replace(/[?#].*$/s, '')
}

/** Whether there was anything to undo: the client has the page with this tag. */
function undoValidators({ headers }: IncomingMessage, content: string): boolean {
  delete headers.range
  let known = false
  for (const name of validators) {
    const value = headers[name]
    if (typeof value !== 'string') continue
    const undone = untaggedValidators(value, content)
    known ||= undone !== value
    headers[name] = undone
  }
  return known
}

/** As much of Fastify as is needed: nothing is imported from it. */
interface FastifyHooks {
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse },
      done: () => void,
    ) => void,
  ): unknown
}

/** A plugin for Fastify: `app.register(fastifyTagPages({ tagFor }))`. */
export function fastifyTagPages(options: TagPagesOptions) {
  const handle = tagPages(options)
  const plugin = (app: FastifyHooks, _: unknown, done: () => void): void => {
    app.addHook('onRequest', (request, reply, next) => handle(request.raw, reply.raw, next))
    done()
  }
  // Without it the hook would hold for this plugin's own routes only.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

export interface FolderTagsOptions {
  readonly now: UnixSeconds
  readonly weeks?: number
  readonly reading?: CountReading
}

/**
 * The tags that follow from a folder's record, by the path a page is served
 * under: `/a/` is `a/index.html`, `/a` also `a.html`. For `tagPages`, where the
 * files shall stay as they are.
 */
export async function tagsOfFolder(
  folder: string,
  options: FolderTagsOptions,
): Promise<(path: string) => string | null> {
  const tags = tagsOf(await readFolderRecord(folder), options)
  return (path) => {
    const name = decoded(path).replace(/^\/+/, '')
    const files = name === '' || name.endsWith('/') ? pagesIn(name) : [name, `${name}.html`]
    return files.map((each) => tags.get(each)).find((each) => each !== undefined) ?? null
  }
}

function pagesIn(folder: string): string[] {
  return [`${folder}index.html`, `${folder}index.htm`, `${folder}index.xhtml`]
}

function tagsOf(
  record: FolderRecord,
  { now, weeks = weeksCompared, reading = 'days' }: FolderTagsOptions,
): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const [path, past] of record) {
    const counts = weeklyCounts(past, { now, weeks })
    if (counts !== null) tags.set(path, tagContent(declaredChange(counts, { reading })))
  }
  return tags
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
