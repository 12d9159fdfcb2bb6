import { Type } from 'typebox'
import { rateEstimators } from '../../estimate/index.js'
import { Count, Duration, exactly, oneOf, orNull } from './words.js'

export const EstimateQuery = exactly({
  method: Type.Optional(oneOf(rateEstimators.map(({ name }) => name))),
  level: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: '0.95 unless said' }),
  ),
})

export const EstimatesQuery = exactly({ level: EstimateQuery.properties.level })

const numbers = {
  changeRate: orNull(Type.Number({ description: 'changes a second' })),
  changePeriod: orNull(Duration),
  bounds: orNull(
    Type.Object({ low: Type.Number(), high: orNull(Type.Number()), level: Type.Number() }),
  ),
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
    verdict: Type.String({ description: 'only ok needs no caution' }),
  },
  { title: 'Estimate' },
)

export const EstimatesAnswer = Type.Object({ estimates: Type.Array(EstimateAnswer) })
