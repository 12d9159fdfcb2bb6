import { OptionError } from '../../model/index.js'
import { runAuto } from './auto-replay.js'
import type { Contender } from './contender.js'
import { lawsElsewhere } from './laws-elsewhere.js'

/** The default, with what the other sources taught it and a budget that it keeps by itself. */
export const autoContender: Contender = {
  name: 'auto',
  summary: "Revisit's default: a posterior over laws of change, visits where they are worth most",
  kind: 'budget',
  compete({ collection, perDay, run }) {
    if (!(perDay > 0))
      throw new OptionError(
        'bad-budget',
        'a budget must be a positive number of visits a page and day',
      )
    const lawFor = lawsElsewhere(collection)
    const { scores, calibration } = runAuto(collection, { ...run, perDay, lawFor })
    return { scores, stretch: null, calibration }
  },
}
