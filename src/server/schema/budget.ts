import { Type } from 'typebox'
import { Count, exactly, oneOf, orNull } from './words.js'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const Requests = Type.Number({ minimum: 0, description: 'requests a day' })

const Point = Type.Object(
  {
    requestsPerDay: Requests,
    perPage: Type.Number({ description: 'requests a page and day' }),
    freshness: Type.Number({
      description: 'predicted share of the time in which copies are fresh',
    }),
    price: Type.Number({ description: 'seconds of freshness that a request costs then' }),
  },
  { title: 'BudgetPoint' },
)

export const BudgetAnswer = Type.Object(
  {
    requestsPerDay: orNull(Requests),
    source: oneOf(['configuration', 'set']),
    configured: orNull(Type.Number({ description: 'what the configuration asks for' })),
    most: orNull(Type.Number({ description: 'requests-per-day, which is never exceeded' })),
    predicted: orNull(Share),
    standing: orNull(
      Type.Number({ description: 'freshness by the due times as they stood at the last look' }),
    ),
    fewer: orNull(Point),
    more: orNull(Point),
    curve: Type.Array(Point),
    hosts: Type.Array(
      Type.Object({
        host: Type.String(),
        pages: Count,
        requestsPerDay: Requests,
        freshness: Share,
      }),
    ),
    price: Type.Number({ description: 'seconds of freshness that a request costs now' }),
    settling: Type.Boolean({ description: 'due times are being moved to a new budget' }),
    pages: Count,
    sampled: Type.Integer({ description: 'pages that the curve was worked out on' }),
    counted: Type.Integer({
      description:
        'pages that counts were made on; where fewer than pages, pages, unseen, ownPolicies and promises are estimates from this sample',
    }),
    unseen: Type.Integer({ description: 'pages never seen, foretold by the prior alone' }),
    ownPolicies: Type.Integer({ description: 'pages with policies of their own' }),
    promises: orNull(
      Type.Object(
        {
          pages: Count,
          requestsPerDay: Requests,
          leastShare: Type.Number({
            description: 'what part of a budget the other pages keep at least',
          }),
          spent: Type.Number({ description: 'requests a day in all: the budget, or more' }),
          warning: orNull(
            Type.String({ description: 'pages and numbers, where more than the budget is spent' }),
          ),
        },
        { description: "what longest gaps and policies of pages' own ask for" },
      ),
    ),
  },
  { title: 'Budget' },
)

export const BudgetBody = exactly({
  requestsPerDay: orNull(Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })),
})
