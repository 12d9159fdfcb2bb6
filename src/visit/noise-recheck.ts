import { maskKey } from '../content/noise/learned-masks.js'
import { type Mask, type Noise, noiseOf } from '../content/noise/masks.js'
import type { Rotation } from '../content/noise/rotating-lines.js'
import type { ContentAnswer } from '../content/read-content.js'
import { pageRules, usualRules } from '../content/reading-rules.js'
import type { PageRecord } from '../model/page.js'
import type { FirstAnswer, NoiseRecheck, Reader, RecheckResult } from '../model/reader.js'
import type { Store } from '../model/store.js'
import type { Json, Seconds } from '../model/units.js'
import type { Content } from '../model/visit-record.js'
import type { BoundedReading } from './bounded-reading.js'
import type { LearnedNoise } from './reading-jobs.js'
import type { FetchedVisit } from './report.js'

/** Samples of a page of which nothing is known: two, and up to six where words vary. */
const firstSamples = 2
const mostSamples = 6
/** So many changes in a row are confirmed by two repeats each, later ones now and then by one. */
const confirmedEnough = 3
const confirmEach = 8
const mostMasks = 60
/** Larger pages are not re-checked: six samples of one would take half a gigabyte to compare. */
const mostBytes = 2 * 1024 * 1024

export interface NoiseRecheckOptions {
  /** Reads contents and learns from them, within limits. */
  readonly reading: Pick<BoundedReading, 'reader' | 'learnedNoise'>
  /** Between two samples; with 0 no page is re-checked. */
  readonly wait: Seconds
}

/**
 * Tells noise from change for pages with the setting `noiseCheck`: takes two
 * samples of a page seen for the first time, more where a change was found, and
 * masks what differs then; see docs/decisions/0008-noise.md.
 */
export function pageNoiseRecheck({ reading, wait }: NoiseRecheckOptions): NoiseRecheck {
  return {
    wait,
    isWanted: ({ body }, { settings }) =>
      settings.noiseCheck === true && wait > 0 && body.length <= mostBytes,
    recheck: (first) => new Recheck(reading, first).result(),
  }
}

class Recheck {
  readonly #reading: NoiseRecheckOptions['reading']
  readonly #reader: Reader
  readonly #first: FirstAnswer
  readonly #noise: Noise
  #bytes = 0

  constructor(reading: NoiseRecheckOptions['reading'], first: FirstAnswer) {
    this.#reading = reading
    this.#reader = reading.reader
    this.#first = first
    this.#noise = noiseOf(first.page.noise)
  }

  async result(): Promise<RecheckResult | null> {
    const { answer, page } = this.#first
    await this.#reader.ahead?.(answer, page)
    const kind = this.#likeness()
    if (kind === null) return null
    const { compare, appear, disappear } = pageRules(page) ?? usualRules
    if (compare === 'bytes' || appear.length + disappear.length > 0) return null
    const alone = await this.#learned({ samples: [answer], old: null })
    if (alone === null) return null
    const { confirmed } = this.#noise
    const lost = alone.lost.length > 0
    const due =
      kind === 'first' || lost || confirmed < confirmedEnough || confirmed % confirmEach === 0
    const kept = kind === 'first' ? null : await this.#first.kept()
    const old = kept === null ? null : this.#asAnswer(kept)
    if (!due) {
      const seen = { ...this.#noise, confirmed: confirmed + 1 }
      const against = old === null ? null : await this.#learned({ samples: [answer], old })
      const noise = against === null ? seen : this.#rotated(seen, against.rotation)
      return { page: await this.#rebased({ noise, old }), bytes: 0 }
    }
    const sure = kind === 'first' || (!lost && confirmed >= confirmedEnough)
    const enough = firstSamples + (sure ? 0 : lost ? 2 : 1)
    const noise = await this.#learn(alone, { old, kind, enough })
    return noise === null ? null : { page: await this.#rebased({ noise, old }), bytes: this.#bytes }
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

  /** Null where one of the samples cannot be read by the page's rules. */
  async #learn(
    alone: LearnedNoise,
    { old, kind, enough }: { old: ContentAnswer | null; kind: 'first' | 'changed'; enough: number },
  ): Promise<Noise | null> {
    const { confirmed } = this.#noise
    const samples: ContentAnswer[] = [this.#first.answer]
    let learned = alone
    let wanted = enough
    while (samples.length < wanted) {
      const answer = await this.#first.again()
      if (answer === null) break
      this.#bytes += answer.bytesReceived
      samples.push(answer)
      const more = await this.#learned({ samples, old })
      if (more === null) return null
      learned = more
      if (more.taken < samples.length) break
      wanted = learned.undecided ? mostSamples : enough
    }
    const { varied, lost } = learned
    const { rotation } = this.#noise
    if (learned.masks.length === 0) {
      const seen = kind === 'first' ? 0 : confirmed + 1
      const noise = { masks: this.#noise.masks, varied, confirmed: seen, rotation }
      return this.#rotated(noise, learned.rotation)
    }
    const masks = together({ known: this.#noise.masks, lost, found: learned.masks })
    return this.#rotated({ masks, varied, confirmed: 0, rotation }, learned.rotation)
  }

  #rotated(noise: Noise, found: Rotation | null): Noise {
    const hidesNew = this.#first.page.settings.hideNewTexts === true
    return withRotation(noise, found === null || !hidesNew ? found : { ...found, fresh: [] })
  }

  #learned(seen: {
    readonly samples: readonly ContentAnswer[]
    readonly old: ContentAnswer | null
  }): Promise<LearnedNoise | null> {
    return this.#reading.learnedNoise(seen, this.#first.page)
  }

  /** The page as it is with other masks: what is kept of it is read anew, so that the two compare. */
  async #rebased({ noise, old }: { noise: Noise; old: ContentAnswer | null }): Promise<PageRecord> {
    const changed = this.#withNoise(noise)
    if (old === null || noise.masks === this.#noise.masks) return changed
    await this.#reader.ahead?.(old, changed)
    const reading = this.#reader.read(old, changed)
    return 'fault' in reading ? changed : { ...changed, fingerprint: reading.fingerprint }
  }

  #withNoise(noise: Noise): PageRecord {
    return { ...this.#first.page, noise: noise as unknown as Json }
  }

  #asAnswer({ body, headers = {} }: Content): ContentAnswer {
    return { ...this.#first.answer, body, headers }
  }
}

/**
 * With the places that rotate: their texts are masked, but for those seen now
 * for the first time, which are a change this once unless the page's settings
 * hide them.
 */
function withRotation(noise: Noise, found: Rotation | null): Noise {
  if (found === null) return noise
  const { slots, fresh } = found
  const active = slots.filter((slot) => slot.active).flatMap(({ texts }) => texts)
  const texts = active.filter((text) => !fresh.includes(text))
  const before = noise.masks.find(({ kind }) => kind === 'rotating')
  const mask: Mask = { kind: 'rotating', texts, before: [], after: [], example: '' }
  const same = before === undefined ? texts.length === 0 : maskKey(before) === maskKey(mask)
  const others = noise.masks.filter((each) => each !== before)
  const masks = same ? noise.masks : texts.length === 0 ? others : [...others, mask]
  return { ...noise, masks, rotation: slots }
}

/**
 * Where there are too many, those go that found nothing on the page any more;
 * and those at once that a new one took the place of.
 */
function together(given: {
  readonly known: readonly Mask[]
  readonly lost: readonly Mask[]
  readonly found: readonly Mask[]
}): Mask[] {
  const used = given.known.filter((mask) => !given.lost.includes(mask))
  const lost = given.lost.filter((mask) => !given.found.some((other) => replaces(other, mask)))
  const all = [...lost, ...used, ...given.found]
  return [...new Map(all.map((mask) => [maskKey(mask), mask])).values()].slice(-mostMasks)
}

/** Whether a mask stands where another stood, by what is on one side of it. */
function replaces(mask: Mask, other: Mask): boolean {
  if (mask.kind !== other.kind || mask.kind === 'link') return false
  const same = (a: readonly string[], b: readonly string[]) => a.join(' ') === b.join(' ')
  return same(mask.before, other.before) || same(mask.after, other.after)
}

/** How a page is sampled again: fetches it once more, or null where that is not to be had now. */
export type Again = () => Promise<ContentAnswer | null>

/** What is to be reported of a visit after a noise re-check. */
export async function afterNoiseRecheck(
  fetched: FetchedVisit,
  parts: { readonly noiseRecheck: NoiseRecheck; readonly store: Store; readonly again: Again },
): Promise<FetchedVisit> {
  const { answer, lease } = fetched
  const { noiseRecheck, store, again } = parts
  if (answer.kind !== 'content') return fetched
  const found = await noiseRecheck.recheck({
    page: lease.page,
    answer,
    again,
    async kept() {
      const version = (await store.versionsOf(lease.page)).at(-1)
      const body = version === undefined ? null : await store.snapshot(version.digest)
      return body === null ? null : { body, headers: version?.headers ?? {} }
    },
  })
  if (found === null) return fetched
  const { page, bytes: repeatBytes } = found
  return { ...fetched, lease: { ...lease, page }, noise: page.noise, repeatBytes }
}
