import { shortened, textWidth } from '../text/shortened.js'
import type { VisitWords } from './visit-line.js'

/** A line but for its address: what stands before it and what after. */
interface Frame {
  readonly before: string
  readonly after: string
}

type Shape = (words: VisitWords) => Frame

/** From the whole line to the barest, what a person misses least going first: the date, how long it took, the size, the hour. */
const shapes: readonly Shape[] = [
  (it) => ({
    before: `${it.time}  ${head(it)}`,
    after: `${it.size} in ${it.duration}; ${it.next}`,
  }),
  (it) => ({
    before: `${clock(it)}  ${head(it)}`,
    after: `${it.size} in ${it.duration}; ${it.next}`,
  }),
  (it) => ({ before: `${clock(it)}  ${head(it)}`, after: `${it.size}; ${it.next}` }),
  (it) => ({ before: `${clock(it)}  ${head(it)}`, after: it.next }),
  (it) => ({ before: head(it), after: it.next }),
  (it) => ({ before: head(it), after: '' }),
]
/** So many shapes give way to one that has the whole address; the next visit is left out only for a third of the line. */
const cheap = 4

/** Advice in less room than this says nothing. */
const leastAdvice = 20

/** The last visits as lines within a width, all of one shape, in which each page can be told by its address. */
export function fittedVisits(visits: readonly VisitWords[], width: number): string[] {
  const shape = shapes[Math.max(0, ...visits.map((words) => shapeFor(words, width)))]!
  return visits.map((words) => fitted(words, { frame: shape(words), width }))
}

/** The first shape that has room for the address: all of it, or else a third of the width. */
function shapeFor(words: VisitWords, width: number): number {
  const whole = textWidth(words.address)
  const third = Math.min(whole, Math.ceil(width / 3))
  const found = shapes.findIndex(
    (shape, i) => roomBeside(shape(words), width) >= (i < cheap ? whole : third),
  )
  return found < 0 ? shapes.length - 1 : found
}

function roomBeside({ before, after }: Frame, width: number): number {
  return width - textWidth(before) - 2 - (after === '' ? 0 : 2 + textWidth(after))
}

function fitted(
  { address, advice }: VisitWords,
  { frame, width }: { readonly frame: Frame; readonly width: number },
): string {
  const least = Math.min(textWidth(address), Math.ceil(width / 3))
  const room = Math.max(least, roomBeside(frame, width))
  const before = beginning(frame.before, Math.max(0, width - least - 2))
  const after = frame.after === '' ? '' : `  ${frame.after}`
  const line = `${before}  ${shortened(address, room)}${after}`
  const left = width - textWidth(line) - 3
  if (advice === '' || left < leastAdvice) return shortened(line, width)
  return `${line} (${beginning(advice, left)})`
}

function head({ outcome, answer }: VisitWords): string {
  return `${outcome.padEnd(9)}  ${answer.padEnd(4)}`
}

/** `12:00:00Z`. */
function clock({ time }: VisitWords): string {
  return time.replace(/^.*T/, '')
}

/** A text that fits a width: its end gives way, since words are told by their beginning. */
function beginning(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  return `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`
}
