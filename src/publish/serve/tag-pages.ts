import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Declared } from '../../model/index.js'
import { tagContent } from '../tag/tag-content.js'
import { ResponseTagger } from './response-tagger.js'
import { untaggedValidators } from './tag-validator.js'

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
