import type { Claim, HintTally, RecentVisits } from '../../model/index.js'
import type { Foretold } from './foretold.js'

export const noTally: HintTally = { foretold: 0, right: 0, changed: 0, lead: 0 }

/** One visit gains a hint at most a factor of e, and costs it at most e squared: trust is lost faster. */
const most = { gain: 1, loss: -2 }
/** So far ahead that two lies bring it down, and so far behind that it takes a while to come back. */
const bounds = { ahead: 4, behind: -6 }
/** Guessing is no surer than hints are: else one that is followed, and so always right, would lose its lead. */
const surest = 0.03
/** What guessing goes by is the newer past. */
const remembered = 64
/** The share of a host's lead that a page of it starts with. */
const inherited = 0.35
/** Below this a hint is not followed. */
const enough = 0.75
/** Visits before a hint is believed: of its page, or of its host. */
const proof = { page: 5, host: 10 }
/** Visits among those that found a change, and that found none. */
const eachWay = 2
/** A hint that met one outcome only never leads by more than 1.5: with this lead it has met both. */
const shown = 2

/**
 * A tally after one more visit. Each visit asks whether the hint made what was
 * seen likelier than guessing from how many visits found a change so far
 * (Krichevsky & Trofimov's half counts), and `lead` adds up the logarithms.
 * Counting hits alone would praise a date that is stuck on a page that rarely
 * changes. What is guessed from forgets; what is told to people is counted in
 * full. O(1), six numbers at most.
 */
export function judged(before: HintTally, told: Foretold, changed: boolean): HintTally {
  if (told === null) return before
  const chance = told === 'lie' ? null : changed ? told : 1 - told
  const past = recentOf(before)
  const guess = clamp((past.changed + 0.5) / (past.foretold + 1), surest, 1 - surest)
  const step =
    chance === null ? most.loss : Math.log(chance) - Math.log(changed ? guess : 1 - guess)
  const kept = past.foretold >= remembered ? 0.5 : 1
  const found = changed ? 1 : 0
  const recent = { foretold: past.foretold * kept + 1, changed: past.changed * kept + found }
  const after = {
    foretold: before.foretold + 1,
    right: before.right + (chance !== null && chance >= 0.5 ? 1 : 0),
    changed: before.changed + found,
    lead: clamp(before.lead + clamp(step, most.loss, most.gain), bounds.behind, bounds.ahead),
  }
  const same = recent.foretold === after.foretold && recent.changed === after.changed
  return same ? after : { ...after, recent }
}

/** What guessing goes by. */
function recentOf({ recent, foretold, changed }: HintTally): RecentVisits {
  return recent ?? { foretold, changed }
}

/**
 * The chance that a hint tells more than guessing, with even odds to begin
 * with and part of what is known of its host: 1 / (1 + exp(-lead)).
 */
export function reliabilityOf(page: HintTally, host: HintTally = noTally): number {
  return 1 / (1 + Math.exp(-page.lead - inherited * host.lead))
}

/**
 * Whether a hint is to be followed: reliable, and put to the test both ways. On
 * visits that all found a change, a hint that always says "changed" cannot be
 * told from a good one. One that can only ever say "unchanged" makes no visit
 * more, and need not be.
 */
export function isBelieved(
  page: HintTally,
  host: HintTally = noTally,
  { oneWay = false }: { readonly oneWay?: boolean } = {},
): boolean {
  const tested = (tally: HintTally, visits: number) => {
    const { foretold, changed } = recentOf(tally)
    const bothWays = changed >= eachWay && foretold - changed >= eachWay
    return foretold >= visits && (oneWay || tally.lead >= shown || bothWays)
  }
  const proven = tested(page, proof.page) || tested(host, proof.host)
  return proven && reliabilityOf(page, host) >= enough
}

/** Whether a claim can only say that nothing changed. */
export function isOneWay(claim: Claim): boolean {
  return (
    claim.says === 'fresh-for' || (claim.says === 'declared' && claim.declared.kind === 'static')
  )
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
