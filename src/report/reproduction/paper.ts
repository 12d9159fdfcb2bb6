import type { RecordedChanges } from '../../model/index.js'

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
