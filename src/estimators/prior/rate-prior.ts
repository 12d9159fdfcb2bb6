import { humanDuration, parseDuration } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import type { GridPrior } from './grid-prior.js'

/**
 * What is assumed of a page's change rate before it is visited, in the two
 * forms of Grimes & Ford: two pseudo-gaps in front of every page's data (4.4),
 * or a whole law of change periods (4.3) with the first gap that suits it best (4.2).
 */
export type RatePrior = {
  /** Whose pages it was learned from, in words that follow "pages like". */
  readonly from: string
} & (PseudoGapPrior | (LawPrior & { readonly firstGap: Seconds }))

interface PseudoGapPrior {
  readonly kind: 'pseudo-gaps'
  readonly pseudoGaps: PseudoGaps
}

interface LawPrior {
  readonly kind: 'law'
  readonly law: GridPrior
}

/** A prior without what only a policy asks of it. */
export type PriorForm = PseudoGapPrior | LawPrior

/** Which prior is asked for by name. */
export type PriorChoice = 'fitted' | 'none' | PseudoGaps

const pseudo = 'pseudo:'

/** Reads `fitted`, `none`, or `pseudo:69h/13h`: a changed and an unchanged pseudo-gap. */
export function parsePriorChoice(text: string): PriorChoice {
  const written = text.trim()
  if (written === 'fitted' || written === 'none') return written
  const gaps = written.startsWith(pseudo) ? written.slice(pseudo.length).split('/') : []
  if (gaps.length !== 2)
    throw new OptionError(
      'bad-prior',
      `"${written}" is no prior; write fitted, none, or a changed and an unchanged pseudo-gap: pseudo:69h/13h`,
    )
  const [changed, unchanged] = gaps.map(parseDuration) as [Seconds, Seconds]
  return checkedPseudoGaps({ changed, unchanged })
}

/** Refuses pseudo-gaps that are no durations. */
export function checkedPseudoGaps(pseudoGaps: PseudoGaps): PseudoGaps {
  for (const gap of [pseudoGaps.changed, pseudoGaps.unchanged])
    if (!(gap > 0 && gap < Infinity))
      throw new OptionError('bad-pseudo-gap', `pseudo-gaps are positive durations; got ${gap}`)
  return pseudoGaps
}

/** Two pseudo-gaps for a person. */
export function pseudoGapWords({ changed, unchanged }: PseudoGaps): string {
  return `${humanDuration(changed)} changed, ${humanDuration(unchanged)} unchanged`
}
