import type {
  CloserLook,
  CloserSight,
  Content,
  FirstLook,
  Json,
  PageRecord,
  Reader,
  Seconds,
} from '../../model/index.js'
import { comparableText } from '../read/comparable-text.js'
import { isPdf, readPdf } from '../read/content/pdf-text.js'
import type { ContentAnswer } from '../read/content-answer.js'
import { type PageRules, pageRules, usualRules } from '../read/rules/page-rules.js'
import { RuleFault } from '../read/rules/rule-fault.js'
import { learnedMasks, maskKey } from './learned-masks.js'
import { maskedTokens } from './masked-tokens.js'
import { type Mask, type Noise, noiseOf } from './noise.js'
import { tokensOf } from './tokens.js'

/** Looks at a page of which nothing is known: two, and up to six where words vary. */
const firstLooks = 2
const mostLooks = 6
/** So many changes in a row are confirmed by two repeats each, later ones now and then by one. */
const confirmedEnough = 3
const confirmEach = 8
const mostMasks = 60

export interface CloserLookOptions {
  readonly reader: Reader
  /** Between two looks; 0 looks at no page again. */
  readonly wait: Seconds
}

/**
 * Tells noise from change for pages with the setting `noiseCheck`: looks twice
 * at a page seen for the first time, again where a change was found, and masks
 * what differs then; see docs/decisions/0008-noise.md. Reads PDF on the way.
 */
export function pageCloserLook({ reader, wait }: CloserLookOptions): CloserLook {
  return {
    wait,
    async look(first) {
      if (isPdf(first.answer)) await readPdf(first.answer)
      if (first.page.settings.noiseCheck !== true || wait <= 0) return null
      try {
        return await new Look(reader, first).sight()
      } catch (error) {
        // The reader says the same of this content, and that is recorded.
        if (error instanceof RuleFault) return null
        throw error
      }
    },
  }
}

class Look {
  readonly #reader: Reader
  readonly #first: FirstLook
  readonly #noise: Noise
  readonly #rules: PageRules
  #bytes = 0

  constructor(reader: Reader, first: FirstLook) {
    this.#reader = reader
    this.#first = first
    this.#noise = noiseOf(first.page.noise)
    this.#rules = pageRules(first.page) ?? usualRules
  }

  async sight(): Promise<CloserSight | null> {
    const { answer } = this.#first
    const { compare, appear, disappear } = this.#rules
    if (compare === 'bytes' || appear.length + disappear.length > 0) return null
    const base = this.#tokens(answer)
    const kind = this.#likeness()
    if (base === null || kind === null) return null
    const { confirmed } = this.#noise
    const lost = maskedTokens(base, this.#noise.masks, { strict: true }).lost.length > 0
    const due =
      kind === 'first' || lost || confirmed < confirmedEnough || confirmed % confirmEach === 0
    if (!due)
      return { page: this.#withNoise({ ...this.#noise, confirmed: confirmed + 1 }), bytes: 0 }
    const old = kind === 'first' ? null : await this.#first.kept()
    const sure = kind === 'first' || (!lost && confirmed >= confirmedEnough)
    const noise = await this.#learn(base, {
      old,
      kind,
      enough: firstLooks + (sure ? 0 : lost ? 2 : 1),
    })
    return { page: await this.#rebased({ noise, old }), bytes: this.#bytes }
  }

  /** Whether the content is the first of its page or a change; null where it is neither. */
  #likeness(): 'first' | 'changed' | null {
    const { page, answer } = this.#first
    const reading = this.#reader.read(answer, page)
    if ('fault' in reading) return null
    if (page.fingerprint === null || page.lastSeen === null) return 'first'
    const likeness = this.#reader.compare?.(page.fingerprint, reading.fingerprint)
    if (likeness === 'incomparable') return 'first'
    return likeness === 'different' ? 'changed' : null
  }

  async #learn(
    base: string[],
    { old, kind, enough }: { old: Content | null; kind: 'first' | 'changed'; enough: number },
  ): Promise<Noise> {
    const { confirmed } = this.#noise
    const looks = [base]
    const before = old === null ? null : this.#tokens(await this.#asAnswer(old))
    let wanted = enough
    let learned = learnedMasks({ looks, old: before, noise: this.#noise })
    while (looks.length < wanted) {
      const answer = await this.#first.again()
      if (answer === null) break
      this.#bytes += answer.bytesReceived
      if (isPdf(answer)) await readPdf(answer)
      const tokens = this.#tokens(answer)
      if (tokens === null) break
      looks.push(tokens)
      learned = learnedMasks({ looks, old: before, noise: this.#noise })
      wanted = learned.undecided ? mostLooks : enough
    }
    const { varied } = learned
    if (learned.masks.length === 0)
      return { masks: this.#noise.masks, varied, confirmed: kind === 'first' ? 0 : confirmed + 1 }
    const { lost } = maskedTokens(base, this.#noise.masks, { strict: true })
    const masks = together({ known: this.#noise.masks, lost, found: learned.masks })
    return { masks, varied, confirmed: 0 }
  }

  /** The page as it is with other masks: what is kept of it is read anew, so that the two compare. */
  async #rebased({ noise, old }: { noise: Noise; old: Content | null }): Promise<PageRecord> {
    const changed = this.#withNoise(noise)
    if (old === null || noise.masks === this.#noise.masks) return changed
    const reading = this.#reader.read(await this.#asAnswer(old), changed)
    return 'fault' in reading ? changed : { ...changed, fingerprint: reading.fingerprint }
  }

  #withNoise(noise: Noise): PageRecord {
    return { ...this.#first.page, noise: noise as unknown as Json }
  }

  #tokens(answer: ContentAnswer): string[] | null {
    const text = comparableText(answer, this.#rules)
    return text === null ? null : tokensOf(text)
  }

  async #asAnswer({ body, headers = {} }: Content): Promise<ContentAnswer> {
    const answer = { ...this.#first.answer, body, headers }
    if (isPdf(answer)) await readPdf(answer)
    return answer
  }
}

/**
 * Where there are too many, those go that found nothing on the page any more;
 * and those at once that a new one took the place of.
 */
function together(told: {
  readonly known: readonly Mask[]
  readonly lost: readonly Mask[]
  readonly found: readonly Mask[]
}): Mask[] {
  const used = told.known.filter((mask) => !told.lost.includes(mask))
  const lost = told.lost.filter((mask) => !told.found.some((other) => replaces(other, mask)))
  const all = [...lost, ...used, ...told.found]
  return [...new Map(all.map((mask) => [maskKey(mask), mask])).values()].slice(-mostMasks)
}

/** Whether a mask stands where another stood, by what is on one side of it. */
function replaces(mask: Mask, other: Mask): boolean {
  if (mask.kind !== other.kind || mask.kind === 'link') return false
  const same = (a: readonly string[], b: readonly string[]) => a.join(' ') === b.join(' ')
  return same(mask.before, other.before) || same(mask.after, other.after)
}
