import { Type } from 'typebox'
import { AnyJson, Count, orNull, Time } from './words.js'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const counts = {
  foretold: Type.Integer({ description: 'visits of which it foretold something' }),
  right: Type.Integer({ description: 'those that ended as it foretold' }),
  foundChanged: Type.Integer({ description: 'those that found a change' }),
}

export const HintsAnswer = Type.Object(
  {
    hints: AnyJson,
    told: Type.Array(
      Type.Object({
        kind: Type.String(),
        words: Type.String(),
        claim: AnyJson,
        toldAt: Time,
        source: orNull(Type.String({ description: 'id of the sitemap or feed that told it' })),
        reliability: Type.Number({
          description: 'the chance that it tells more than guessing; 0.5 before anything is known',
        }),
        believed: Type.Boolean({ description: 'proved itself enough to be followed' }),
        ...counts,
        onHost: Type.Object(counts, { description: 'the same on all pages of the host' }),
      }),
    ),
    allowance: Type.Number({ description: 'visits that may still be wasted on hints' }),
    wasted: Type.Number(),
  },
  { title: 'Hints' },
)

export const HostHints = Type.Array(
  Type.Object({
    kind: Type.String(),
    foretold: Count,
    right: Count,
    foundChanged: Count,
    reliability: Share,
    believed: Type.Boolean(),
  }),
)
