import type { Finding } from 'revisit/report'

/** A law of our choice beside another one, in words for a reader. */
export interface SecondLaw {
  /** What the second run is: "all sites at random". */
  readonly name: string
  /** Why the first law is a choice: "by which laws the sites change is our choice". */
  readonly choice: string
}

/**
 * One finding of two runs, each under a law that we chose. A verdict that
 * differs between them hangs on our choice, and holds in part.
 */
export function underBothLaws(
  chosen: Finding,
  { second, name, choice }: SecondLaw & { readonly second: Finding },
): Finding {
  const same = chosen.verdict === second.verdict
  const hangs = same
    ? 'the verdict is the same'
    : `it is "${second.verdict}", with the first "${chosen.verdict}"`
  return {
    ...chosen,
    ours: `${chosen.ours}. Second law, ${name}: ${second.ours}`,
    verdict: same ? chosen.verdict : 'holds in part',
    why: `${chosen.why} The law is ours: ${choice}; with the second law ${hangs}.`,
  }
}

/** The same for lists of findings in one order. */
export function allUnderBothLaws(
  chosen: readonly Finding[],
  { second, ...about }: SecondLaw & { readonly second: readonly Finding[] },
): Finding[] {
  return chosen.map((finding, i) => underBothLaws(finding, { ...about, second: second[i]! }))
}
