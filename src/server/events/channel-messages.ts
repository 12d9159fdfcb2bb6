/** /api/channels/kinds and /api/channels/preview: what a channel can be, and what its messages look like. */

import { Type } from 'typebox'
import type { PageRecord } from '../../model/page.js'
import { checkTemplate, messageOf, templateVariables } from '../../notify/message.js'
import { type Notice, testNotice } from '../../notify/notice.js'
import { seenChange } from '../../notify/visit-notice.js'
import { foundPage } from '../pages/page-view.js'
import { exactly, orNull, PageId, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { KindsAnswer, kindsByApi, MessageBody } from './channel-schema.js'

const PreviewBody = exactly({
  message: Type.Optional(MessageBody),
  page: Type.Optional(PageId),
})
export const PreviewAnswer = Type.Object({
  title: Type.String(),
  body: Type.String(),
  link: orNull(Type.String()),
})

/** Kinds of channels with their settings, and a preview of messages. */
export function messageRoutes(app: App, parts: ServiceParts): void {
  const { notify } = parts
  const tags = ['notifications']

  app.get(
    '/api/channels/kinds',
    {
      schema: {
        operationId: 'channelKinds',
        summary: 'The kinds of channels with the settings of each, and what a template can name',
        tags,
        response: { 200: KindsAnswer, ...refusals },
      },
    },
    async () => ({
      kinds: kindsByApi.map(({ kind, label, help, example, fields }) => ({
        kind,
        label,
        help,
        example,
        fields: Object.entries(fields).map(([field, { optional, secret, ...about }]) => ({
          name: field,
          ...about,
          optional: optional === true,
          secret: secret === true,
        })),
      })),
      variables: Object.entries(templateVariables).map(([name, means]) => ({ name, means })),
    }),
  )

  app.post(
    '/api/channels/preview',
    {
      schema: {
        operationId: 'previewMessage',
        summary: 'A message as it would be sent: of the last change of a page, or of a sample',
        tags,
        body: PreviewBody,
        response: { 200: PreviewAnswer, ...refusals },
      },
    },
    async ({ body: { message, page } }) => {
      for (const text of [message?.title, message?.body])
        if (text !== undefined) checkTemplate(text)
      const notice = await previewNotice(page, parts)
      const dashboard = notify?.dashboard
      const { title, body, link } = messageOf([{ id: '0', notice }], {
        template: message,
        dashboard,
      })
      return { title, body, link }
    },
  )
}

/** The last change of a page; a sample where there is none. */
async function previewNotice(id: string | undefined, parts: ServiceParts): Promise<Notice> {
  const { store, collection, clock, diffs } = parts
  const sample = testNotice({ collection, name: 'a channel' }, clock.now())
  if (id === undefined) return { ...sample, type: 'changed' }
  const page = await foundPage(id, parts)
  const { changes } = await store.inbox.list({ collection, page: page.id, limit: 1 })
  const [last] = changes
  if (last === undefined) return { ...sample, type: 'changed', page: noticePage(page) }
  const { change, previous, note } = await seenChange({ page, at: last.at }, { store, diffs })
  return {
    ...sample,
    type: 'changed',
    page: { ...noticePage(page), title: last.title ?? page.title },
    visit: { number: last.number, at: last.at, outcome: 'changed', status: 200 },
    previous,
    changedShare: change?.share ?? null,
    diff: change?.diff ?? null,
    ...change?.excerpt,
    note,
  }
}

function noticePage({ id, url, group, tags, title }: PageRecord): Notice['page'] {
  return { id, url, group: group ?? null, tags, title }
}
