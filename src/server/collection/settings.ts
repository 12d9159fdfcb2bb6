import { Type } from 'typebox'
import { policyKinds, rateEstimators } from '../../planner/registry.js'
import { ApiError } from '../errors.js'
import { PageParams } from '../pages/page-schema.js'
import { foundPage } from '../pages/page-view.js'
import { type Answer, AnyJson, exactly, Named, named, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { HintsAnswer, hintsAnswer } from './hints.js'

const SettingRow = Type.Object(
  {
    name: Type.String({ description: 'in revisit.yaml' }),
    topic: Type.String(),
    summary: Type.String(),
    takes: Type.String({ description: 'what may be written, in words' }),
    value: Type.String({ description: 'in force, as one would write it; passwords are left out' }),
    from: Type.String({
      description: 'where it comes from: an option, a variable, a file, default, set while running',
    }),
    configured: Type.String({ description: 'what the configuration says' }),
    configuredFrom: Type.String(),
    changeable: Type.Boolean({ description: 'whether it may be changed while processes run' }),
    setAt: orNull(Time),
  },
  { title: 'Setting' },
)
export type SettingRow = Answer<typeof SettingRow>

export const SettingsAnswer = Type.Object({
  settings: Type.Record(Type.String(), AnyJson),
  details: Type.Array(SettingRow, {
    description: 'every setting with where its value comes from; none where none can be changed',
  }),
})

const SettingsBody = exactly({
  settings: Type.Record(
    Type.String({ pattern: '^[a-z-]{1,40}$' }),
    orNull(Type.String({ minLength: 1, maxLength: 2000 })),
    { description: 'by name, as in revisit.yaml; null goes back to what the configuration says' },
  ),
})
export const MethodsAnswer = Type.Object({
  estimators: Type.Array(Named),
  policies: Type.Array(Named),
})

function settingsAnswer({ live, settings }: ServiceParts): Answer<typeof SettingsAnswer> {
  const details = live?.rows() ?? []
  const values = Object.fromEntries(details.map(({ name, value }) => [name, value]))
  return { settings: live === undefined ? settings : values, details }
}

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
    async () => settingsAnswer(parts),
  )

  app.put(
    '/api/settings',
    {
      schema: {
        operationId: 'setSettings',
        summary: 'Set some of the settings for all processes on the store, from now on',
        description:
          'All or none. What is set holds as long as the configuration (options, environment, revisit.yaml) says the same as now; other processes follow within some seconds.',
        tags,
        body: SettingsBody,
        response: { 200: SettingsAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      if (parts.live === undefined)
        throw new ApiError(409, 'fixed-settings', 'the settings of this service cannot be changed')
      await parts.live.change(body.settings)
      return settingsAnswer(parts)
    },
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
