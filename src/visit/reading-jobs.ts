import { RuleFault } from '../content/apply-rules.js'
import { comparableText } from '../content/comparable-text.js'
import { isPdf, readPdf } from '../content/media-text.js'
import { type Learned, learnedMasks } from '../content/noise/learned-masks.js'
import { type Mask, maskedTokens, type Noise, noiseOf } from '../content/noise/masks.js'
import { type Rotation, rotationAfter } from '../content/noise/rotating-lines.js'
import { tokensOf } from '../content/noise/tokens.js'
import { pageReader } from '../content/page-reader.js'
import type { ContentAnswer, ReadPage } from '../content/read-content.js'
import { type PageRules, pageRules, usualRules } from '../content/reading-rules.js'
import type { FoundPage, Hint } from '../model/hint.js'
import type { HostRecord } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import type { Reading, UnreadContent } from '../model/reader.js'
import { publisherReader } from './discovery.js'

export async function readAnswer(
  answer: ContentAnswer,
  page: ReadPage,
): Promise<Reading | UnreadContent> {
  if (isPdf(answer)) await readPdf(answer)
  return pageReader.read(answer, page as PageRecord)
}

/** What an answer's publisher says in it. */
export interface Published {
  readonly hints: readonly Hint[]
  readonly found: readonly FoundPage[]
  readonly unlisted: boolean
}

export function publishedBy(
  answer: ContentAnswer,
  about: { readonly page: ReadPage; readonly host: HostRecord | undefined },
  { without }: { readonly without: readonly string[] },
): Published {
  const { hints, found, unlisted } = publisherReader({ without: new Set(without) })
  const page = about.page as PageRecord
  return {
    hints: hints(answer),
    found: found(answer, { page, host: about.host }),
    unlisted: page.settings.found === true && unlisted(answer),
  }
}

/** What several answers within seconds tell of a page's noise. */
export interface LearnedNoise extends Learned {
  /** The page's masks that found nothing. */
  readonly lost: readonly Mask[]
  /** Against the copy kept; null without one. */
  readonly rotation: Rotation | null
  /** How many of the answers were taken; those after one without text are not. */
  readonly taken: number
}

/** Null where the first answer has no text that counts, or one cannot be read by the page's rules. */
export async function learnedNoise(
  {
    samples,
    old,
    visits,
  }: {
    readonly samples: readonly ContentAnswer[]
    readonly old: ContentAnswer | null
    /** Of the page before this one. */
    readonly visits: number
  },
  page: ReadPage,
): Promise<LearnedNoise | null> {
  const rules = pageRules(page as PageRecord) ?? usualRules
  const noise = noiseOf(page.noise)
  try {
    const tokens: string[][] = []
    for (const sample of samples) {
      const each = await tokensIn(sample, rules)
      if (each === null) break
      tokens.push(each)
    }
    const [base] = tokens
    if (base === undefined) return null
    const before = old === null ? null : await tokensIn(old, rules)
    const { lost } = maskedTokens(base, noise.masks, { strict: true })
    return {
      ...learnedMasks({ samples: tokens, old: before, noise }),
      lost,
      rotation: before === null ? null : rotationIn(before, base, { noise, visits }),
      taken: tokens.length,
    }
  } catch (error) {
    if (error instanceof RuleFault) return null
    throw error
  }
}

/** Of what the other masks leave: a clock in a line makes it no other text. */
function rotationIn(
  before: readonly string[],
  now: readonly string[],
  { noise, visits }: { readonly noise: Noise; readonly visits: number },
): Rotation {
  const places = noise.masks.filter(({ kind }) => kind !== 'rotating')
  const left = (tokens: readonly string[]) => maskedTokens(tokens, places).tokens
  return rotationAfter(left(before), left(now), { slots: noise.rotation, visits })
}

async function tokensIn(answer: ContentAnswer, rules: PageRules): Promise<string[] | null> {
  if (isPdf(answer)) await readPdf(answer)
  const text = comparableText(answer, rules)
  return text === null ? null : tokensOf(text)
}
