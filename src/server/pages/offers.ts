/** /api/pages/{id}/offers: what a page asked for a thing, version by version. */

import { Type } from 'typebox'
import { keptContent } from '../../model/store.js'
import { exactly, Limit, oneOf, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'

export const OffersAnswer = Type.Object({
  offers: Type.Array(
    Type.Object({
      at: Time,
      price: orNull(Type.Number()),
      currency: orNull(Type.String({ description: 'ISO 4217, where the page says so' })),
      inStock: orNull(Type.Boolean()),
      from: oneOf(['json-ld', 'text'], {
        description: 'structured data, or the first number with a currency in the compared text',
      }),
    }),
    { description: 'in order of time; versions without an offer are left out' },
  ),
})

/** Prices and stock of a page over its kept versions. */
export function offerRoutes(app: App, parts: ServiceParts): void {
  const { store, diffs } = parts
  app.get(
    '/api/pages/:id/offers',
    {
      schema: {
        operationId: 'pageOffers',
        summary: 'Price and stock in each kept version of a page',
        tags: ['contents'],
        params: PageParams,
        querystring: exactly({ limit: Limit(500, 100) }),
        response: { 200: OffersAnswer, ...refusals },
      },
    },
    async ({ params, query: { limit = 100 } }) => {
      const page = await foundPage(params.id, parts)
      const offers = []
      for (const version of (await store.versionsOf(page)).slice(-limit)) {
        const content = await keptContent(store, version)
        const offer = content === null ? null : await diffs.offer({ page, content })
        if (offer !== null) offers.push({ at: version.at, ...offer })
      }
      return { offers }
    },
  )
}
