import { OptionError } from '../../model/index.js'
import type { Objective } from '../../schedule/index.js'
import { runAuto } from './auto-replay.js'
import type { Contender } from './contender.js'
import { lawsElsewhere } from './laws-elsewhere.js'

/** The default, with what the other sources taught it and a budget that it keeps by itself. */
export const autoContender: Contender = autoFor('freshness', {
  name: 'auto',
  summary: "Revisit's default: a posterior over laws of change, visits where they are worth most",
})

/** The same where all pages are visited for another objective; they compete where they are named. */
export const otherObjectives: readonly Contender[] = [
  autoFor('delay', { name: 'auto-delay', summary: 'the default with objective: delay' }),
  autoFor('changes-caught', {
    name: 'auto-changes-caught',
    summary: 'the default with objective: changes-caught',
  }),
]

function autoFor(
  objective: Objective,
  about: { readonly name: string; readonly summary: string },
): Contender {
  return {
    ...about,
    kind: 'budget',
    compete({ collection, perDay, run }) {
      if (!(perDay > 0))
        throw new OptionError(
          'bad-budget',
          'a budget must be a positive number of visits a page and day',
        )
      const lawFor = lawsElsewhere(collection)
      const { scores, calibration } = runAuto(collection, { ...run, perDay, lawFor, objective })
      return { scores, stretch: null, calibration }
    },
  }
}
