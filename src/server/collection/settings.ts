import { Type } from 'typebox'
import { policyKinds, rateEstimators } from '../../planner/registry.js'
import { PageParams } from '../pages/page-schema.js'
import { foundPage } from '../pages/page-view.js'
import { AnyJson, Named, named, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { HintsAnswer, hintsAnswer } from './hints.js'

export const SettingsAnswer = Type.Object({ settings: Type.Record(Type.String(), AnyJson) })
export const MethodsAnswer = Type.Object({
  estimators: Type.Array(Named),
  policies: Type.Array(Named),
})

/** Settings in force, methods to choose from, and publishers' hints of a page. */
export function settingRoutes(app: App, parts: ServiceParts): void {
  const tags = ['settings']

  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'settings',
        summary: 'The settings in force, by their name in revisit.yaml',
        tags,
        response: { 200: SettingsAnswer, ...refusals },
      },
    },
    async () => ({ settings: parts.settings }),
  )

  app.get(
    '/api/methods',
    {
      schema: {
        operationId: 'methods',
        summary: 'The estimators and policies there are',
        tags,
        response: { 200: MethodsAnswer, ...refusals },
      },
    },
    async () => ({ estimators: rateEstimators.map(named), policies: policyKinds.map(named) }),
  )

  app.get(
    '/api/pages/:id/hints',
    {
      schema: {
        operationId: 'hintsOfPage',
        summary: 'What the publisher says of the changes of a page, and how far it is trusted',
        tags: ['pages'],
        params: PageParams,
        response: { 200: HintsAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const page = await foundPage(params.id, parts)
      return hintsAnswer(page, await parts.store.getHost(page.host))
    },
  )
}
