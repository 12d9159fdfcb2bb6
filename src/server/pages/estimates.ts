/** How often a page changes, by any method, and why it is due when it is. */

import { Type } from 'typebox'
import {
  type Estimator,
  type ShownEstimate,
  shownEstimate,
  verdicts,
} from '../../model/estimate.js'
import { type History, historyOf } from '../../model/history.js'
import type { PageRecord } from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import { ownEstimate, pagePosterior } from '../../planner/collection/page-posterior.js'
import { auto, autoWith } from '../../planner/posterior/learner.js'
import { rateEstimator, rateEstimators } from '../../planner/registry.js'
import {
  type Answer,
  Count,
  Duration,
  exactly,
  Named,
  named,
  oneOf,
  orNull,
  refusals,
  Time,
} from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { DueAnswer, PageParams } from './page-schema.js'
import { foundPage, KnownPeriods } from './page-view.js'

const EstimateQuery = exactly({
  method: Type.Optional(oneOf(rateEstimators.map(({ name }) => name))),
  level: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: '0.95 by default' }),
  ),
})

const EstimatesQuery = exactly({ level: EstimateQuery.properties.level })

const BoundsAnswer = Type.Object({
  low: Type.Number(),
  high: orNull(Type.Number()),
  level: Type.Number(),
})
const numbers = {
  changeRate: orNull(Type.Number({ description: 'changes a second' })),
  changePeriod: orNull(Duration),
  bounds: orNull(BoundsAnswer),
}

export const EstimateAnswer = Type.Object(
  {
    method: Type.String(),
    ...numbers,
    group: Type.Optional(
      Type.Object(numbers, {
        description: 'what pages like it do, where it was not seen twice and has no number',
      }),
    ),
    evidence: Type.Object({
      visits: Count,
      observations: Count,
      changes: Count,
      samplingPeriod: Duration,
      unchangedTime: Duration,
      contentAges: Count,
    }),
    verdict: oneOf(verdicts, { description: 'only ok needs no caution' }),
  },
  { title: 'Estimate' },
)

export const EstimatesAnswer = Type.Object({ estimates: Type.Array(EstimateAnswer) })

export const WhyAnswer = Type.Object(
  {
    due: DueAnswer,
    policy: Named,
    learner: orNull(Named),
    /** What its learner has learned, or the estimate from its visits where it has none. */
    changePeriod: orNull(Duration),
    /** When its host may be asked. */
    hostRestsUntil: orNull(Time),
    hours: orNull(Type.String()),
    /** How often it changes, by the default, as `revisit show` says. */
    estimate: EstimateAnswer,
    /** The default's posterior of the page, whichever policy follows it. */
    posterior: orNull(
      Type.Object({
        law: Type.String({ description: 'in words' }),
        changedByNow: Type.Number({ description: 'chance that the copy is stale by now' }),
        bounds: BoundsAnswer,
      }),
    ),
    price: orNull(Type.Number({ description: 'seconds of freshness that a request costs now' })),
  },
  { title: 'Why' },
)
export type WhyAnswer = Answer<typeof WhyAnswer>

/** Enough to tell a law by. */
const newestVisits = 1000
/** Of bounds that nobody asked another of. */
const level = 0.95

/** How often a page changes, by any method, and why it is due when it is. */
export function estimateRoutes(app: App, parts: ServiceParts): void {
  const { store } = parts
  const tags = ['pages']
  const posteriorNow = (
    page: PageRecord,
    { controller, now }: { controller: CollectionController; now: UnixSeconds },
  ) =>
    pagePosterior(page, {
      planners: controller.planners,
      history: async () => historyOf(await store.visitsOf(page, { newest: newestVisits })),
      now,
    })
  /** As `revisit show` gives it: the default's, by what it knows of the page or by its visits. */
  const ownEstimated = async (page: PageRecord): Promise<ShownEstimate> => {
    const past = historyOf(await store.visitsOf(page, { newest: newestVisits }))
    const planners = parts.controller?.planners
    if (planners === undefined) return estimated(past, { estimator: auto, level })
    const own = ownEstimate(page, { planners, history: past, level })
    const estimator = autoWith({ law: planners.learnerFor(page).law })
    return own === null ? estimated(past, { estimator, level }) : shownEstimate(own)
  }
  const history = async (id: string) => historyOf(await store.visitsOf(await foundPage(id, parts)))

  app.get(
    '/api/pages/:id/estimate',
    {
      schema: {
        operationId: 'estimateOfPage',
        summary: 'How often a page changes, with bounds, by one method (irregular-mle by default)',
        tags,
        params: PageParams,
        querystring: EstimateQuery,
        response: { 200: EstimateAnswer, ...refusals },
      },
    },
    async ({ params, query }) => {
      const { method = 'irregular-mle', level: asked = level } = query
      return estimated(await history(params.id), { estimator: rateEstimator(method), level: asked })
    },
  )

  app.get(
    '/api/pages/:id/estimates',
    {
      schema: {
        operationId: 'estimatesOfPage',
        summary: 'The same by every method',
        tags,
        params: PageParams,
        querystring: EstimatesQuery,
        response: { 200: EstimatesAnswer, ...refusals },
      },
    },
    async ({ params, query }) => {
      const { level: asked = level } = query
      const past = await history(params.id)
      return {
        estimates: rateEstimators.map((each) => estimated(past, { estimator: each, level: asked })),
      }
    },
  )

  app.get(
    '/api/pages/:id/why',
    {
      schema: {
        operationId: 'whyDue',
        summary: 'Why a page is due when it is',
        tags,
        params: PageParams,
        response: { 200: WhyAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const page = await foundPage(params.id, parts)
      const planner = parts.plannerFor(page)
      const host = await store.getHost(page.host)
      const { hours } = page.settings
      const { controller, clock } = parts
      return {
        due: page.due,
        policy: named(planner.policy),
        learner: planner.learner === null ? null : named(planner.learner),
        changePeriod: await KnownPeriods.of(store).period(page, parts),
        hostRestsUntil: host?.blockedUntil ?? null,
        estimate: await ownEstimated(page),
        posterior:
          controller === undefined
            ? null
            : await posteriorNow(page, { controller, now: clock.now() }),
        price: controller?.price ?? null,
        hours: typeof hours === 'string' ? hours : null,
      }
    },
  )
}

/** Also of a page that no visit ever saw. */
function estimated(
  history: History | null,
  { estimator, level }: { estimator: Estimator; level: number },
): ShownEstimate {
  if (history !== null) return shownEstimate(estimator.estimate(history, { level }))
  const nothing = estimator.estimate({ start: { at: 0 }, observations: [] }, { level })
  return shownEstimate({ ...nothing, evidence: { ...nothing.evidence, visits: 0 } })
}
