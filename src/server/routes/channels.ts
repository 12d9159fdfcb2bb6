import { ApiError } from '../api-error.js'
import type { App } from '../app.js'
import { ChannelDesk } from '../notify/channel-desk.js'
import {
  ChannelAnswer,
  ChannelChangeBody,
  ChannelListAnswer,
  ChannelParams,
  DeliveryListAnswer,
  DeliveryListQuery,
  NewChannelAnswer,
  NewChannelBody,
  TestAnswer,
} from '../schema/channels.js'
import { RemovedAnswer } from '../schema/pages.js'
import { refusals } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** Channels of notifications: webhooks, e-mail, ntfy; and what became of each delivery. */
export function channelRoutes(app: App, parts: ServiceParts): void {
  const { outbox } = parts.store
  const { collection } = parts
  const desk = new ChannelDesk(parts)
  const tags = ['notifications']

  app.get(
    '/api/channels',
    {
      schema: {
        operationId: 'listChannels',
        summary: 'The channels through which changes are told',
        tags,
        response: { 200: ChannelListAnswer, ...refusals },
      },
    },
    async () => {
      const records = await outbox.channels(collection)
      return { channels: (await Promise.all(records.map((each) => desk.view(each)))) as never }
    },
  )

  app.post(
    '/api/channels',
    {
      schema: {
        operationId: 'addChannel',
        summary: 'Tell of changes from now on through a webhook, by e-mail or by ntfy',
        tags,
        body: NewChannelBody,
        response: { 200: NewChannelAnswer, ...refusals },
      },
    },
    async ({ body }) => (await desk.add(body as never)) as never,
  )

  app.get(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'getChannel',
        summary: 'One channel',
        tags,
        params: ChannelParams,
        response: { 200: ChannelAnswer, ...refusals },
      },
    },
    async ({ params }) => (await desk.view(await desk.found(params.id))) as never,
  )

  app.patch(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'changeChannel',
        summary: 'Change a channel; one that rests after failures tries again at once',
        tags,
        params: ChannelParams,
        body: ChannelChangeBody,
        response: { 200: ChannelAnswer, ...refusals },
      },
    },
    async ({ params, body }) => (await desk.change(params.id, body as never)) as never,
  )

  app.delete(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'removeChannel',
        summary: 'Tell no more through a channel, and forget its deliveries',
        tags,
        params: ChannelParams,
        response: { 200: RemovedAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const { id } = await desk.found(params.id)
      return { removed: (await outbox.removeChannel(id)) ? 1 : 0 }
    },
  )

  app.post(
    '/api/channels/:id/test',
    {
      schema: {
        operationId: 'testChannel',
        summary: 'Send a test through a channel now, and tell whether it arrived',
        tags,
        params: ChannelParams,
        response: { 200: TestAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const { id } = await desk.found(params.id)
      if (parts.notify === undefined)
        throw new ApiError(409, 'no-notifier', 'this process sends no notifications')
      const result = await parts.notify.test(id)
      if (result === null || result.sent) return { sent: result !== null }
      return { sent: false, error: result.error }
    },
  )

  app.get(
    '/api/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'What was sent, waits to be sent or was given up, the newest first',
        tags,
        querystring: DeliveryListQuery,
        response: { 200: DeliveryListAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const { limit = 100, ...rest } = query
      const list = await outbox.deliveries({ collection, limit, ...rest })
      return { deliveries: [...list] }
    },
  )
}
