import { hash } from 'node:crypto'
import { type Mask, maskedTokens, mostIn, type Noise } from './masks.js'
import {
  contextAfter,
  contextBefore,
  couldBeMachineMade,
  formOf,
  lineEnd,
  linkShape,
  namedTokens,
} from './tokens.js'
import {
  matchesIn,
  mergedSlots,
  RunPlaces,
  type Slot,
  valueIn,
  varyingSlots,
} from './varying-slots.js'

/** A page as several samples within seconds show it, and the slots in which they differ. */
interface SampledPage {
  readonly base: readonly string[]
  readonly named: readonly string[]
  readonly places: RunPlaces
  /** In order, none within another. */
  readonly slots: readonly Slot[]
  /** Those that hold anything but times. */
  readonly wordSlots: readonly Slot[]
  readonly noise: Noise
  readonly lostRuns: readonly Mask[]
  valuesOf(slot: Slot): string[][]
  oldValueOf(slot: Slot): string[] | null
}

/** Tokens right before a place, up to the next one that varies; times count by their form. */
function stableBefore(page: SampledPage, at: number, most: number): string[] {
  const next = firstWhere(page.wordSlots, ({ end }) => end > at)
  const edge = page.wordSlots[next - 1]?.end ?? 0
  const room = edge === 0 ? most : Math.min(most, at - edge)
  return contextBefore(page.named, { at, most: room })
}

/** How many tokens after a place, up to so many, come before the next that varies. */
function stableAfter(page: SampledPage, at: number, most: number): number {
  const next =
    page.wordSlots[firstWhere(page.wordSlots, ({ start, end }) => start >= at && end > at)]
  return next === undefined ? most : Math.min(most, next.start - at)
}

/** Whether a slot holds nothing but times, which a context knows by their form whatever they are. */
function isTimes(slot: Slot, named: readonly string[]): boolean {
  return named
    .slice(slot.start, slot.end)
    .every((token) => token === '<time>' || token === '<elapsed>')
}

/** The first slot for which a test holds that holds for all after it; their number where for none. */
function firstWhere(slots: readonly Slot[], test: (slot: Slot) => boolean): number {
  let [from, to] = [0, slots.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (test(slots[middle]!)) to = middle
    else from = middle + 1
  }
  return from
}

/** One mask a token, where every token that differs looks made by a machine; else null. */
function machineMasks(slot: Slot, page: SampledPage & { values: string[][] }): Mask[] | null {
  const { values, named } = page
  const size = slot.end - slot.start
  if (size === 0 || values.some((each) => each.length !== size)) return null
  const masks: Mask[] = []
  for (let i = 0; i < size; i++) {
    const at = slot.start + i
    const tokens = values.map((each) => each[i]!)
    if (tokens.every((each) => each === tokens[0])) continue
    const around = {
      before: stableBefore(page, at, 2),
      after: contextAfter(named, { at: at + 1, most: stableAfter(page, at + 1, 2) }),
      example: tokens[0]!.replace('\u0001', '').slice(0, 200),
    }
    const shape = linkShape(tokens)
    const kind = shape === null ? commonForm(values, i, page.base[slot.end] ?? '') : null
    if (shape !== null) masks.push({ kind: 'link', shape, ...around, before: [], after: [] })
    else if (kind !== null) masks.push({ kind, ...around })
    else return null
  }
  return masks
}

function commonForm(
  values: readonly string[][],
  i: number,
  following: string,
): Exclude<Mask['kind'], 'run' | 'link' | 'rotating'> | null {
  const forms = values.map((each) => formOf(each[i]!, each[i + 1] ?? following))
  if (forms.every((form) => form !== null && form === forms[0])) return forms[0]!
  const ids = forms.includes('id') && values.every((each) => couldBeMachineMade(each[i]!))
  return ids ? 'id' : null
}

/** What answers of one page within seconds show of its noise. */
export interface Learned {
  /** New ones only. */
  readonly masks: readonly Mask[]
  /** Some place varies as an advertisement may; another sample could tell. */
  readonly undecided: boolean
  readonly varied: Noise['varied']
}

/** A word or two may be a true change every second; so many that come back are not. */
const fewWords = 3
const mostValues = 40
const mostPlaces = 10
const longestLabel = 60
const label =
  /^\W*(?:advertisements?|advert|ads?|sponsored|promoted|anzeige|werbung|publicité|publicidad|pubblicità)\W*$/i

/**
 * Learns what to mask from answers of a page within seconds, the first being the
 * one that counts; `old` is the copy kept of it. See docs/decisions/0008-noise.md
 * for what is taken as noise and what as a fast page.
 */
export function learnedMasks(given: {
  readonly samples: readonly (readonly string[])[]
  readonly old: readonly string[] | null
  readonly noise: Noise
}): Learned {
  const { samples, noise } = given
  const [base = [], ...others] = samples
  const none = { masks: [], undecided: false, varied: noise.varied }
  const matched = others.map((other) => matchesIn(base, other))
  if (matched.includes(null)) return none
  const aligned = matched.map((matches, i) => ({ matches: matches!, length: others[i]!.length }))
  const { covered, lost } = maskedTokens(base, noise.masks, { strict: true })
  const slots = mergedSlots(varyingSlots(aligned), base).filter((slot) => !covered(slot))
  if (slots.length === 0) return none
  const old = given.old === null ? null : { tokens: given.old, matches: matchesIn(base, given.old) }
  const named = namedTokens(base)
  const page: SampledPage = {
    base,
    named,
    places: new RunPlaces(named),
    slots,
    wordSlots: slots.filter((slot) => !isTimes(slot, named)),
    noise,
    lostRuns: lost.filter((mask) => mask.kind === 'run'),
    valuesOf: (slot) => [
      base.slice(slot.start, slot.end),
      ...others.map((tokens, i) => valueIn(tokens, { matches: aligned[i]!.matches, slot }) ?? []),
    ],
    oldValueOf: (slot) =>
      old?.matches ? valueIn(old.tokens, { matches: old.matches, slot }) : null,
  }
  return together(
    slots.map((slot) => learnSlot(slot, page)),
    noise,
  )
}

/** What the places tell together: each mask once, and no more places that vary than are kept. */
function together(learned: readonly Learned[], { varied: before }: Noise): Learned {
  const masks = new Map<string, Mask>()
  const varied = new Map(Object.entries(before))
  for (const each of learned) {
    for (const mask of each.masks) if (!masks.has(maskKey(mask))) masks.set(maskKey(mask), mask)
    for (const [key, values] of Object.entries(each.varied))
      if (varied.has(key) || varied.size < mostPlaces) varied.set(key, values)
  }
  return {
    masks: [...masks.values()],
    undecided: learned.some(({ undecided }) => undecided),
    varied: Object.fromEntries(varied),
  }
}

/** Masks with the same key mask the same. */
export function maskKey({ example: _, ...mask }: Mask): string {
  return JSON.stringify(mask)
}

function learnSlot(slot: Slot, page: SampledPage): Learned {
  const values = page.valuesOf(slot)
  const single = machineMasks(slot, { ...page, values })
  if (single !== null) return { masks: single, undecided: false, varied: {} }
  return learnRun(slot, { ...page, values })
}

/** A stretch of words: masked only where it comes back, or stands where advertisements say they do. */
function learnRun(slot: Slot, page: SampledPage & { values: string[][] }): Learned {
  const { noise } = page
  const texts = page.values.map((each) => each.join(' '))
  const old = page.oldValueOf(slot)?.join(' ')
  const changes = texts.filter((text, i) => i > 0 && text !== texts[i - 1]).length
  const longest = Math.max(...page.values.map((each) => each.filter(isWord).length))
  const mask = runMask(slot, page, longest)
  const key = hash('sha256', JSON.stringify([mask?.before, mask?.after]), 'hex').slice(0, 12)
  const digests = texts.map((text) => hash('sha256', text, 'hex').slice(0, 12))
  const before = noise.varied[key] ?? []
  const labelled = isLabelled(slot, page)
  const long = longest >= fewWords && page.values.some((each) => each.some(hasLetters))
  const returned =
    comesBack(old === undefined ? texts : [old, ...texts]) ||
    // What stood there at the end of an earlier visit may just have stayed.
    digests.some((digest) => before.slice(0, -1).includes(digest))
  const moved = page.lostRuns.some(
    (lost) => lost.before.at(-1) === mask?.before.at(-1) || lost.after[0] === mask?.after[0],
  )
  const isNoise = (long && returned) || (labelled && (changes > 1 || returned)) || (long && moved)
  if (mask !== null && isNoise) return { masks: [mask], undecided: false, varied: {} }
  const undecided = mask !== null && (long || labelled)
  const gone = before.filter((digest) => !digests.includes(digest))
  const all = [...gone, ...new Set(digests)].slice(-mostValues)
  return { masks: [], undecided, varied: undecided ? { [key]: all } : {} }
}

/**
 * Words before and after that find this place, and others only if they vary
 * too; null where none do.
 */
function runMask(slot: Slot, page: SampledPage, longest: number): Mask | null {
  const { base, named, slots } = page
  const example = base.slice(slot.start, slot.end).join(' ').replaceAll('\u0001', '').slice(0, 200)
  const varies = (run: Slot) => {
    const first = slots[firstWhere(slots, ({ start }) => start >= run.start)]
    return first !== undefined && first.end <= run.end
  }
  for (const most of [3, 6, 12]) {
    const before = stableBefore(page, slot.start, most)
    const after = contextAfter(named, { at: slot.end, most: stableAfter(page, slot.end, most) })
    if (before.length === 0 || after.length === 0) return null
    const mask: Mask & { kind: 'run' } = {
      kind: 'run',
      longest: Math.max(longest, 1),
      before,
      after,
      example,
    }
    if (page.places.allFit({ before, after, most: mostIn(mask) }, varies)) return mask
  }
  return null
}

/** Whether what stood there came back after something else. */
function comesBack(texts: readonly string[]): boolean {
  return texts.some((text, i) => texts.indexOf(text) < i && texts[i - 1] !== text)
}

function isLabelled(slot: Slot, { base }: SampledPage): boolean {
  return base
    .slice(Math.max(0, slot.start - 4), slot.start + 2)
    .some((token) => token.length <= longestLabel && label.test(token))
}

function isWord(token: string): boolean {
  return token !== lineEnd && token.charCodeAt(0) !== 1
}

function hasLetters(token: string): boolean {
  return isWord(token) && /\p{L}/u.test(token)
}
