/**
 * How a page's quiet spells go on.
 *
 * - `NWU`, new worse than used: the longer it was quiet, the longer it will be
 * - `NBU`, new better than used: the longer it was quiet, the sooner it changes
 * - `memoryless`: how long it was quiet tells nothing (Poisson changes)
 *
 * Li, Cline & Loguinov 2015, definition 3.
 */
export type Ageing = 'NWU' | 'NBU' | 'memoryless'

/** What each class means for visiting, in words. */
export const ageingMeaning: Readonly<Record<Ageing, string>> = {
  NWU: 'Changes come in bursts: after a change more will follow soon, after a long quiet the page stays quiet. Visit again soon after a change and let the gaps grow while nothing changes. Even visits find fewer changes than a Poisson page of the same rate would show.',
  NBU: 'Changes come at regular times: just after a change a visit is wasted, and after about one usual quiet spell the next change is due. Time the visits to that beat, but vary them a little so that they do not lock in step with it. Even visits find more changes than a Poisson page of the same rate would show.',
  memoryless:
    'Changes come at random: how long the page was quiet says nothing about the next change. Only the change rate counts, and evenly spaced visits are best.',
}

/** A class by a test: its statistic, expected 0 for a memoryless page, with its error. */
export type AgeingTest =
  | {
      readonly kind: 'test'
      readonly ageing: Ageing
      /** Above 0 towards NBU, below 0 towards NWU, in the test's own unit. */
      readonly statistic: number
      /** Standard error of the statistic for a memoryless page. */
      readonly error: number
      readonly z: number
      /** Chance that a memoryless page gives a statistic so far from 0, either side. */
      readonly chance: number
      /** Changes or gaps it rests on. */
      readonly samples: number
    }
  | { readonly kind: 'none'; readonly why: 'too-few-changes' | 'no-contrast' }
