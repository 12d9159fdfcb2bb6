import { InputError } from '../../model/errors.js'
import type { RecordedChanges } from '../../model/history.js'

/** What became of a claim when the paper was run again. */
export type ClaimVerdict = 'holds' | 'holds in part' | 'does not hold'

/** One thing a paper says, and what we found when we last looked. */
export interface PublishedClaim {
  readonly id: string
  /** Where it stands: "Figure 1b", "section VI, last paragraph". */
  readonly where: string
  /** The claim in our words, short. */
  readonly says: string
  /** The printed number or numbers, as text; empty where there is none. */
  readonly published: string
  /** The verdict of the full run; `revisit reproduce` fails when it comes out otherwise. */
  readonly recorded: ClaimVerdict
  /** Left out, saying so, where the real histories are absent. */
  readonly needsHistories?: boolean
  /** A question of ours that the paper left open: shown apart, and not counted among its claims. */
  readonly ourQuestion?: boolean
}

/** `published.json` of a paper: its claims, and whatever printed numbers its run compares with. */
export interface Published {
  readonly title: string
  readonly authors: string
  readonly year: number
  readonly claims: readonly PublishedClaim[]
  readonly numbers?: Readonly<Record<string, unknown>>
}

/** What a run found about one claim. */
export interface Finding {
  readonly claim: string
  /** Our number or numbers, as text. */
  readonly ours: string
  readonly verdict: ClaimVerdict
  /** One or two sentences: what was run, and why the verdict. */
  readonly why: string
}

export interface PaperFigure {
  /** File name without folder, such as "figure-1a.svg". */
  readonly file: string
  readonly title: string
  /** What to see in it, for a reader without the paper. */
  readonly caption: string
  readonly svg: string
  /** The same drawn for a phone; without it the report lets the wide one be scrolled. */
  readonly narrowSvg?: string
}

export interface PaperTable {
  readonly title: string
  readonly caption?: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
}

export interface PaperResult {
  readonly findings: readonly Finding[]
  readonly tables: readonly PaperTable[]
  readonly figures: readonly PaperFigure[]
}

export interface PaperRun {
  /** A smaller run: all five papers together under 90 seconds on two cores. */
  readonly quick: boolean
  readonly seed: number
  /** Real change histories; null where they are absent. */
  readonly histories: readonly RecordedChanges[] | null
  /** The share done, 0 to 1, and what is being done. */
  readonly progress: (share: number, doing: string) => void
}

/** One paper, run again with Revisit's public exports only. */
export interface Paper {
  /** Folder name: "malcolm-armitage". */
  readonly name: string
  readonly published: Published
  run(options: PaperRun): Promise<PaperResult>
}

/** A claim beside what a run found about it. */
export interface JudgedClaim {
  readonly claim: PublishedClaim
  readonly finding: Finding
  /** Whether the verdict is the recorded one. */
  readonly asRecorded: boolean
}

/** All claims of a paper after a run: those judged, and those left out for want of real histories. */
export interface JudgedClaims {
  readonly judged: readonly JudgedClaim[]
  readonly leftOut: readonly PublishedClaim[]
}

/**
 * Lays the findings of a run beside the claims, in the order of the claims. A
 * claim without a finding is only right where it needs histories that are
 * absent, and a finding without a claim never is: both are faults of the
 * paper's own files.
 */
export function judgedClaims(
  { claims }: Published,
  { findings, histories }: { readonly findings: readonly Finding[]; readonly histories: boolean },
): JudgedClaims {
  const found = new Map(findings.map((finding) => [finding.claim, finding]))
  const leftOut = claims.filter(
    (claim) => !found.has(claim.id) && claim.needsHistories === true && !histories,
  )
  const unknown = [...found.keys()].find((id) => !claims.some((claim) => claim.id === id))
  const forgotten = claims.find((claim) => !found.has(claim.id) && !leftOut.includes(claim))
  if (unknown !== undefined)
    throw new InputError('unknown-claim', `there is no claim "${unknown}" in published.json`)
  if (forgotten !== undefined)
    throw new InputError('claim-without-finding', `the run found nothing on "${forgotten.id}"`)
  const judged = claims
    .filter((claim) => found.has(claim.id))
    .map((claim) => {
      const finding = found.get(claim.id)!
      return { claim, finding, asRecorded: finding.verdict === claim.recorded }
    })
  return { judged, leftOut }
}

export const claimVerdicts: readonly ClaimVerdict[] = ['holds', 'holds in part', 'does not hold']

/** The paper's own claims, and beside them the questions that are ours. */
export function claimsAndQuestions(judged: readonly JudgedClaim[]): {
  readonly claims: readonly JudgedClaim[]
  readonly questions: readonly JudgedClaim[]
} {
  const isOurs = ({ claim }: JudgedClaim) => claim.ourQuestion === true
  return { claims: judged.filter((each) => !isOurs(each)), questions: judged.filter(isOurs) }
}

/** How many of the claims came to each verdict. */
export function verdictCounts(judged: readonly JudgedClaim[]): Record<ClaimVerdict, number> {
  const counts = { holds: 0, 'holds in part': 0, 'does not hold': 0 }
  for (const { finding } of judged) counts[finding.verdict]++
  return counts
}
