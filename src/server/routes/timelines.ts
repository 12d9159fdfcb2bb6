import { Type } from 'typebox'
import type { Outcome, UnixSeconds } from '../../model/index.js'
import type { App } from '../app.js'
import { exactly, OutcomeWord, pairOf, refusals, Time } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

const most = 200
const newest = 40

const TimelinesQuery = exactly({
  pages: Type.String({
    pattern: `^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,${most - 1}}$`,
    description: `ids of up to ${most} pages, with commas between`,
  }),
})

const TimelinesAnswer = Type.Object({
  lines: Type.Record(
    Type.String(),
    Type.Array(pairOf(Time, OutcomeWord), {
      description: `its ${newest} newest visits: when, and how they ended`,
    }),
  ),
})

/** The last visits of many pages at once: what a row of a list has room for. */
export function timelineRoutes(app: App, { store, collection }: ServiceParts): void {
  app.get(
    '/api/timelines',
    {
      schema: {
        operationId: 'timelines',
        summary: 'The last visits of several pages, when and how they ended',
        tags: ['visits'],
        querystring: TimelinesQuery,
        response: { 200: TimelinesAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const lines: Record<string, [UnixSeconds, Outcome][]> = {}
      for (const id of new Set(query.pages.split(','))) {
        const page = await store.getPage({ id })
        if (page?.collection !== collection) continue
        const visits = await store.visitsOf({ id }, { newest })
        lines[id] = visits.map(({ at, outcome }) => [at, outcome])
      }
      return { lines }
    },
  )
}
