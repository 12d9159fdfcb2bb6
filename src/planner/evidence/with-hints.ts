import type { WeighedHint } from '../../model/hint.js'
import type { Moved, PageView, Policy } from '../../model/policy.js'
import type { Seconds } from '../../model/units.js'
import { movedBy } from './hint-forecast.js'

/** A hint makes a gap a quarter as long at least, and twice as long at most. */
const bounds = { shortest: 0.25, longest: 2 }
/** A list that predicts this well lets its pages be visited half as often: it tells when one changes. */
const sure = 0.9
/** Changes of its own after which a learner's word counts for half of what it does, beside a hint. */
const ownWord = 4

/**
 * Any policy, with its gaps moved by what publishers say: the hint that proved
 * most reliable speaks, if it is trusted at all. A period draws the gap
 * towards it, the less the more the page itself has shown; "static" and a
 * cache's lifetime make it longer, as does a list that tells of each change.
 *
 * What lies costs little: a hint is trusted only once it has predicted better than
 * guessing, moves are bounded, and of a page's visits no more than a twentieth
 * (one of the first twenty) may be wasted on early visits that find nothing.
 */
export function withHints(policy: Policy): Policy {
  const bare = policy.bare ?? policy
  const { called: _, ...plain } = bare
  return {
    ...plain,
    name: `with-hints(${bare.name})`,
    summary: `${bare.summary}; moved by publishers' hints that proved right`,
    bare,
    moved: (view, gap) => movedGap(view, gap, { learns: bare.learner !== null }),
  }
}

function movedGap(view: PageView, gap: Seconds, { learns }: { learns: boolean }): Moved | null {
  const { hints } = view
  if (hints === undefined || hints === null || !(gap > 0 && gap < Infinity)) return null
  for (const hint of byReliability(hints.reported)) {
    const wish = wishOf(hint, { gap, view, learns })
    if (wish === null) continue
    const least = gap * Math.max(bounds.shortest, 1 - hints.allowance)
    const moved = Math.min(bounds.longest * gap, Math.max(least, wish))
    return movedBy(hint, { moved, gap })
  }
  return null
}

function byReliability(reported: readonly WeighedHint[]): WeighedHint[] {
  return reported.filter((each) => each.trusted).sort((a, b) => b.reliability - a.reliability)
}

interface Asked {
  readonly gap: Seconds
  readonly view: PageView
  readonly learns: boolean
}

/** The gap that a hint asks for; null where it has nothing to say of the time to come. */
function wishOf(hint: WeighedHint, asked: Asked): Seconds | null {
  const { claim, kind, reliability } = hint
  const { gap, view } = asked
  if (claim.says === 'changed-at')
    return kind !== 'last-modified' && reliability >= sure ? bounds.longest * gap : null
  if (claim.says === 'fresh-for') return claim.duration > gap ? claim.duration : null
  if (claim.declared.kind === 'static') return bounds.longest * gap
  const { period } = claim.declared
  if (period === null || !(period > 0)) return null
  const word = asked.learns ? ownWord / (ownWord + view.changes) : 1
  return gap * (period / gap) ** ((2 * reliability - 1) * word)
}
