/** Kept versions of a page, and /api/pages/:id/diff, what changed between two. */

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Incomparable } from '../../content/bounded/diff-jobs.js'
import { type KeptContent, whyIncomparable } from '../../content/bounded/version-diffs.js'
import { pictureHeader, pictureIn } from '../../content/kept-picture.js'
import { scriptAdvice, seemsScriptMade } from '../../content/script-made.js'
import type { PageRecord } from '../../model/page.js'
import { keptContent, type Version } from '../../model/store.js'
import { ApiError } from '../errors.js'
import {
  type Answer,
  bytesOf,
  Count,
  exactly,
  oneOf,
  orNull,
  PageId,
  refusals,
  Time,
  textOf,
} from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'

export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'digest of a version' })

export const VersionsAnswer = Type.Object({
  versions: Type.Array(
    Type.Object(
      {
        at: Time,
        digest: Type.String(),
        bytes: Count,
        mediaType: orNull(Type.String()),
        screenshot: Type.Boolean({ description: 'whether one is kept with it' }),
      },
      { title: 'Version' },
    ),
  ),
})

export type VersionAnswer = Answer<typeof VersionsAnswer>['versions'][number]

export const AdviceAnswer = Type.Object({
  advice: orNull(Type.String({ description: 'in words; null where there is none' })),
})

const VersionParams = exactly({ id: PageId, digest: Digest })

const FrameQuery = exactly({
  choose: Type.Optional(
    Type.Boolean({ description: 'of the same origin, so that a part of it can be chosen' }),
  ),
})

const DiffQuery = exactly({
  from: Type.Optional(Digest),
  to: Type.Optional(Digest),
  whole: Type.Optional(
    Type.Boolean({
      description:
        'the whole page with its title, not only what is compared: without selectors, ignored parts and paths, and masks',
    }),
  ),
})

export const DiffAnswer = Type.Object(
  {
    from: orNull(Type.Object({ at: Time, digest: Type.String() })),
    to: orNull(Type.Object({ at: Time, digest: Type.String() })),
    whole: Type.Boolean({ description: 'whether these are lines of the whole page' }),
    note: orNull(Type.String({ description: 'in words, where no line differs' })),
    lines: Type.Array(
      Type.Object({
        kind: oneOf(['same', 'removed', 'added']),
        text: Type.String(),
        words: Type.Array(Type.Object({ text: Type.String(), changed: Type.Boolean() })),
      }),
    ),
  },
  { title: 'Diff' },
)
export type DiffAnswer = Answer<typeof DiffAnswer>

interface VersionAsked {
  readonly page: PageRecord
  readonly digest: string
}

/** A version of a page with its bytes; null where it has none such, or no longer. */
export async function contentOf(
  { page, digest }: VersionAsked,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<KeptContent | null> {
  const versions = await store.versionsOf(page)
  return keptContent(
    store,
    versions.findLast((each) => each.digest === digest),
  )
}

async function keptVersion(
  asked: VersionAsked,
  parts: Pick<ServiceParts, 'store'>,
): Promise<KeptContent> {
  const content = await contentOf(asked, parts)
  if (content === null)
    throw new ApiError(404, 'no-version', 'this page has no such version, or no longer')
  return content
}

/** Contents beyond this have something to compare. */
const mostAdvised = 2_000_000

async function adviceFor(page: PageRecord, parts: ServiceParts): Promise<string | null> {
  const version = (await parts.store.versionsOf(page)).at(-1)
  if (version === undefined || page.settings.browser === true) return null
  if (version.bytes > mostAdvised || !/html/i.test(version.mediaType ?? '')) return null
  const { digest } = version
  const read = (view: 'whole' | 'source') =>
    versionText({ page, digest, view }, parts).then(
      ({ text }) => text,
      () => null,
    )
  const [html, whole] = [await read('source'), await read('whole')]
  if (html === null || whole === null) return null
  const text = page.title === null ? whole : whole.replace(page.title, '')
  return seemsScriptMade({ html, text }) ? scriptAdvice : null
}

/** A version as text: all that a reader sees of it, or as it was sent. */
async function versionText(
  asked: VersionAsked & { readonly view: 'whole' | 'source' },
  parts: Pick<ServiceParts, 'store' | 'diffs'>,
): Promise<{ version: Version; text: string }> {
  const content = await keptVersion(asked, parts)
  const found = await parts.diffs.text({ page: asked.page, content }, asked.view)
  if (found.kind === 'text') return { version: content.version, text: found.text }
  if (found.kind === 'no-text') throw noText()
  throw new ApiError(422, 'unreadable', whyIncomparable(found))
}

function noText(): ApiError {
  return new ApiError(422, 'no-text', 'this version is no text that could be shown')
}

/**
 * A page of somebody else, shown: no script, no request to anywhere, an
 * origin of its own, and only within a page of ours.
 */
const sandbox =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
/** The same, but the page around it may find out which element stands at a place. No script runs in it either. */
const chooser = sandbox.replace('sandbox;', 'sandbox allow-same-origin;')

/** Both together: a longer answer is of no use to a browser. */
const longestCompared = 1_000_000
/** The shortest way between texts takes time that grows with the square of this. */
const mostEdits = 1000

/** Kept versions of pages: as text, as source, in a sandbox, and compared. */
export function contentRoutes(app: App, parts: ServiceParts): void {
  const { store } = parts
  const tags = ['contents']
  const text = { 200: textOf('text/plain'), ...refusals }
  const plain = 'text/plain; charset=utf-8'

  app.get(
    '/api/pages/:id/versions',
    {
      schema: {
        operationId: 'versionsOfPage',
        summary: 'The versions of a page that are kept, the oldest first',
        tags,
        params: PageParams,
        response: { 200: VersionsAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const versions = await store.versionsOf(await foundPage(params.id, parts))
      return {
        versions: versions.map(({ at, digest, bytes, mediaType, headers }) => ({
          at,
          digest,
          bytes,
          mediaType,
          screenshot: headers?.[pictureHeader] !== undefined,
        })),
      }
    },
  )

  app.get(
    '/api/pages/:id/advice',
    {
      schema: {
        operationId: 'adviceForPage',
        summary: 'What would help to read a page, by its newest version: a browser, for one',
        tags,
        params: PageParams,
        response: { 200: AdviceAnswer, ...refusals },
      },
    },
    async ({ params }) => ({ advice: await adviceFor(await foundPage(params.id, parts), parts) }),
  )

  app.get(
    '/api/pages/:id/versions/:digest/text',
    {
      schema: {
        operationId: 'versionText',
        summary: 'What a reader sees of a version, as plain text',
        tags,
        params: VersionParams,
        response: text,
      },
    },
    async ({ params }, reply) => {
      const page = await foundPage(params.id, parts)
      reply.type(plain)
      return (await versionText({ page, digest: params.digest, view: 'whole' }, parts)).text
    },
  )

  app.get(
    '/api/pages/:id/versions/:digest/source',
    {
      schema: {
        operationId: 'versionSource',
        summary: 'A version as it was sent, as plain text',
        tags,
        params: VersionParams,
        response: text,
      },
    },
    async ({ params }, reply) => {
      const page = await foundPage(params.id, parts)
      reply.type(plain)
      return (await versionText({ page, digest: params.digest, view: 'source' }, parts)).text
    },
  )

  app.get(
    '/api/pages/:id/versions/:digest/screenshot',
    {
      schema: {
        operationId: 'versionScreenshot',
        summary: 'The screenshot that is kept with a version, as PNG',
        tags,
        params: VersionParams,
        response: { 200: bytesOf('image/png'), ...refusals },
      },
    },
    async ({ params }, reply) => {
      const page = await foundPage(params.id, parts)
      const { body } = await keptVersion({ page, digest: params.digest }, parts)
      const picture = pictureIn(body)
      if (picture === null)
        throw new ApiError(404, 'no-screenshot', 'no screenshot is kept with this version')
      // Opened by itself, a picture is one and nothing else.
      reply.header('content-security-policy', "sandbox; default-src 'none'")
      reply.type('image/png')
      return Readable.from([picture])
    },
  )

  app.get(
    '/api/pages/:id/versions/:digest/frame',
    {
      schema: {
        operationId: 'versionFrame',
        summary: 'A version for a frame: sandboxed, without scripts or requests',
        tags,
        params: VersionParams,
        querystring: FrameQuery,
        response: { 200: textOf('text/html', 'text/plain'), ...refusals },
      },
    },
    async ({ params, query }, reply) => {
      const page = await foundPage(params.id, parts)
      const asked = { page, digest: params.digest, view: 'source' } as const
      const { version, text: source } = await versionText(asked, parts)
      const html = /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(version.mediaType ?? '')
      reply.header('content-security-policy', query.choose === true ? chooser : sandbox)
      reply.header('x-dns-prefetch-control', 'off')
      reply.type(html ? 'text/html; charset=utf-8' : plain)
      return source
    },
  )

  app.get(
    '/api/pages/:id/diff',
    {
      schema: {
        operationId: 'diffOfPage',
        summary:
          'What changed between two versions, line by line: of what is compared by the rules and masks of the page; the two newest by default',
        tags,
        params: PageParams,
        querystring: DiffQuery,
        response: { 200: DiffAnswer, ...refusals },
      },
    },
    async ({ params, query }) => diff(await foundPage(params.id, parts), { query, parts }),
  )
}

async function diff(
  page: PageRecord,
  { query, parts }: { query: { from?: string; to?: string; whole?: boolean }; parts: ServiceParts },
) {
  const versions = await parts.store.versionsOf(page)
  const named = (digest: string) => versions.findLast((each) => each.digest === digest)
  const to = query.to === undefined ? versions.at(-1) : named(query.to)
  const from = query.from === undefined ? versions[versions.indexOf(to!) - 1] : named(query.from)
  if (to === undefined || (query.from !== undefined && from === undefined))
    throw new ApiError(404, 'no-version', 'this page has no such version, or no longer')
  const kept = (version: Version) => keptVersion({ page, digest: version.digest }, parts)
  const pair = {
    page,
    before: from === undefined ? null : { ...(await kept(from)), version: from },
    after: { ...(await kept(to)), version: to },
  }
  const whole = query.whole === true
  const found = await parts.diffs.lines(pair, {
    view: whole ? 'whole' : 'compared',
    mostLetters: longestCompared,
    mostEdits,
  })
  if (found.kind !== 'lines') throw incomparable(found, whole)
  const brief = ({ at, digest }: Version) => ({ at, digest })
  const same = found.lines.every(({ kind }) => kind === 'same')
  return {
    from: from === undefined ? null : brief(from),
    to: brief(to),
    whole,
    note: same ? (whole ? sameWhole : `${sameCompared}; ${wholeHint}`) : null,
    lines: found.lines,
  }
}

const sameWhole = 'nothing that a reader sees is different'
const sameCompared = 'nothing that is compared of this page is different'
const wholeHint = 'whole=true compares all of it'

function incomparable(found: Incomparable, whole: boolean): ApiError {
  if (found.kind === 'no-text') return noText()
  if (found.kind === 'too-long') return new ApiError(422, 'too-long', whyIncomparable(found))
  const why = whyIncomparable(found)
  return new ApiError(422, 'not-compared', whole ? why : `${why}; ${wholeHint}`)
}
