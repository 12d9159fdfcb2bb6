import type { PageRecord, Version } from '../../model/index.js'
import { type Incomparable, whyIncomparable } from '../../notify/index.js'
import { ApiError } from '../api-error.js'
import type { App } from '../app.js'
import { keptVersion, noText, versionText } from '../kept-versions.js'
import { foundPage } from '../page-view.js'
import { DiffAnswer, DiffQuery, VersionParams, VersionsAnswer } from '../schema/contents.js'
import { PageParams } from '../schema/pages.js'
import { refusals, textOf } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/**
 * A page of somebody else, shown: no script, no request to anywhere, an
 * origin of its own, and only within a page of ours.
 */
const sandbox =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'"

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
        versions: versions.map(({ at, digest, bytes, mediaType }) => ({
          at,
          digest,
          bytes,
          mediaType,
        })),
      }
    },
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
    '/api/pages/:id/versions/:digest/frame',
    {
      schema: {
        operationId: 'versionFrame',
        summary: 'A version for a frame: sandboxed, without scripts or requests',
        tags,
        params: VersionParams,
        response: { 200: textOf('text/html', 'text/plain'), ...refusals },
      },
    },
    async ({ params }, reply) => {
      const page = await foundPage(params.id, parts)
      const asked = { page, digest: params.digest, view: 'source' } as const
      const { version, text: source } = await versionText(asked, parts)
      const html = /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(version.mediaType ?? '')
      reply.header('content-security-policy', sandbox)
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
    lines: found.lines as never,
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
