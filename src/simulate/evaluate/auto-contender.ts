import { runAuto } from './auto-replay.js'
import type { Contender } from './contender.js'
import { lawsElsewhere } from './laws-elsewhere.js'

/** The default, with what the other sources taught it and a budget that it keeps by itself. */
export const autoContender: Contender = {
  name: 'auto',
  summary: "Revisit's default: a posterior over laws of change, visits where they are worth most",
  kind: 'budget',
  compete: ({ collection, perDay, run }) => ({
    scores: runAuto(collection, { ...run, perDay, lawFor: lawsElsewhere(collection) }),
    stretch: null,
  }),
}
