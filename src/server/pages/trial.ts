/** /api/preview and /api/pages/:id/trial: what rules make of a page now, and of its kept versions. */

import { Type } from 'typebox'
import { humanTime } from '../../model/duration.js'
import type { FetchAnswer, PoliteVisit } from '../../model/fetcher.js'
import { type PageRecord, unvisitedPage } from '../../model/page.js'
import type { Json } from '../../model/units.js'
import { AnyJson, Count, exactly, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'
import {
  comparedText,
  lastContents,
  mostLetters,
  TrialAnswer,
  trial,
  withRules,
} from './rule-trial.js'

const Reading = Type.Optional(
  Type.Unsafe<Json>({
    ...AnyJson,
    description: 'rules of reading to try; those of the page by default',
  }),
)

const PreviewBody = exactly({
  url: Type.String({ minLength: 1, maxLength: 8000 }),
  reading: Reading,
})

export const PagePreviewAnswer = Type.Object({
  at: Time,
  url: Type.String({ description: 'where the request led' }),
  status: orNull(Count),
  text: orNull(Type.String({ description: 'what would be compared; null where there is none' })),
  cut: Type.Boolean({ description: 'whether the text is longer than what is shown' }),
  note: orNull(Type.String({ description: 'in words, why there is no text' })),
})

const TrialBody = exactly({
  reading: Type.Unsafe<Json>({ ...AnyJson, description: 'rules to try; null for none' }),
})

/** Seconds that a person waits for a host that rests. */
const longestWait = 12

/** What rules make of a page: fetched now, politely; and of what is kept. */
export function trialRoutes(app: App, parts: ServiceParts): void {
  app.post(
    '/api/preview',
    {
      schema: {
        operationId: 'previewPage',
        summary:
          'Fetch a page now, as politely as a visit, and show the text that would be compared; nothing is recorded of it',
        tags: ['pages'],
        body: PreviewBody,
        response: { 200: PagePreviewAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const page = await askedPage(body.url, parts)
      const settings = withRules(page, body.reading)
      const end = await fetchedNow(page, parts)
      if (end.kind !== 'answered') return { ...nothing(page, parts), note: whyNot(end) }
      return shownAnswer({ ...page, settings }, { answer: end.answer, parts })
    },
  )

  app.post(
    '/api/pages/:id/trial',
    {
      schema: {
        operationId: 'tryRules',
        summary: 'What other rules of reading would have made of the last ten versions of a page',
        tags: ['pages'],
        params: PageParams,
        body: TrialBody,
        response: { 200: TrialAnswer, ...refusals },
      },
    },
    async ({ params, body: { reading } }) => {
      const page = await foundPage(params.id, parts)
      return trial(page, { contents: await lastContents(page, parts), reading, parts })
    },
  )
}

/** A page that is followed, or one that would be. */
async function askedPage(
  url: string,
  { store, collection, addresses, clock }: ServiceParts,
): Promise<PageRecord> {
  const address = addresses.address(url)
  const known = await store.getPage({ collection, url: address })
  if (known !== null) return known
  return { ...unvisitedPage({ url: address, collection, now: clock.now() }), id: '0' }
}

/** A host that rests for a moment is waited for. */
async function fetchedNow(
  page: PageRecord,
  { session, clock }: ServiceParts,
): Promise<PoliteVisit> {
  const until = clock.now() + longestWait
  for (;;) {
    const end = await session.preview(page)
    if (end.kind !== 'wait' || end.until > until) return end
    await clock.sleep(Math.max(0.05, end.until - clock.now()))
  }
}

function whyNot(end: Exclude<PoliteVisit, { kind: 'answered' }>): string {
  if (end.kind === 'disallowed') return 'its robots.txt does not allow it to be asked'
  if (end.kind === 'spent') return `the budget of requests is used up until ${humanTime(end.until)}`
  return `${end.kind === 'deferred' ? end.host : 'its host'} rests until ${humanTime(end.until)}; try again then`
}

function nothing({ url }: PageRecord, { clock }: Pick<ServiceParts, 'clock'>) {
  return { at: clock.now(), url, status: null, text: null, cut: false, note: null }
}

async function shownAnswer(
  page: PageRecord,
  { answer, parts }: { answer: FetchAnswer; parts: ServiceParts },
) {
  const { at } = answer
  if (answer.kind === 'failed') return { ...nothing(page, parts), at, note: answer.message }
  const { url, status } = answer
  if (answer.kind !== 'content')
    return { ...nothing(page, parts), at, url, status, note: `the server answered ${status}` }
  const { body, headers } = answer
  const mediaType = headers['content-type'] ?? null
  const version = { at, digest: '', bytes: body.length, mediaType, headers: null }
  const found = await comparedText(page, { content: { version, body }, parts })
  return { at, url, status, ...found, cut: (found.text?.length ?? 0) >= mostLetters }
}
