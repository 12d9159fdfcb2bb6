import {
  hintWeight,
  humanDuration,
  type Moved,
  type PageView,
  type Seconds,
  type WeighedHint,
} from '../../model/index.js'
import { hintWords } from '../hint-words.js'

/** Smaller moves are not worth a word. */
const noticeable = 0.01

/** The move to a gap, in words; null where it is none to speak of. */
export function movedTo(
  moved: Seconds,
  { view, gap }: { view: PageView; gap: Seconds },
): Moved | null {
  if (Math.abs(moved / gap - 1) < noticeable) return null
  const way = moved < gap ? 'earlier' : 'later'
  const told = view.hints?.told ?? []
  const loudest = told
    .filter(({ kind }) => kind !== 'last-modified')
    .reduce((a, b) => (hintWeight(b) > hintWeight(a) ? b : a))
  const why = `${humanDuration(moved)} instead of ${humanDuration(gap)}, ${way}, since ${hintWords(loudest)} (${recordWords(loudest)})`
  return { gap: moved, why }
}

export function newsWords(hint: WeighedHint): string {
  return `its ${hint.kind} says that it changed (${recordWords(hint)} here)`
}

function recordWords({ tally }: WeighedHint): string {
  return `right ${Math.round(tally.right)} of ${Math.round(tally.foretold)} times`
}
