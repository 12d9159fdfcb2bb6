import { readDuration } from './duration.js'
import { OptionError } from './errors.js'
import type { Seconds } from './units.js'

/** What a browser does on a page before what stands in it counts. */
export type BrowserStep =
  | { readonly kind: 'wait'; readonly time: Seconds }
  | { readonly kind: 'wait-for'; readonly selector: string }
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'fill'; readonly selector: string; readonly text: string }
  | { readonly kind: 'accept-cookies' }

/** Of one page. */
export const mostSteps = 20
const longestWait: Seconds = 10
const longestText = 500

/** The forms of a step, for help and messages. */
export const stepForms = 'wait 2s, wait for #price, click .more, fill #q = words, accept cookies'

/** Steps as a person writes them, one a line; refused, by number, where one means nothing. */
export function browserSteps(lines: readonly string[]): BrowserStep[] {
  if (lines.length > mostSteps)
    throw new OptionError('bad-step', `a page has ${mostSteps} steps at most; got ${lines.length}`)
  return lines.map((line, i) => {
    const step = line.length <= longestText ? stepOf(line.trim()) : null
    if (step !== null) return step
    throw new OptionError(
      'bad-step',
      `step ${i + 1} is none: "${line.slice(0, 100)}"; steps are such as ${stepForms}`,
    )
  })
}

function stepOf(line: string): BrowserStep | null {
  if (/^accept cookies$/i.test(line)) return { kind: 'accept-cookies' }
  const [, verb = '', rest = ''] = /^(wait for|wait|click|fill)\s+(.+)$/is.exec(line) ?? []
  switch (verb.toLowerCase()) {
    case 'wait': {
      const time = readDuration(rest)
      return time !== undefined && time > 0 && time <= longestWait ? { kind: 'wait', time } : null
    }
    case 'wait for':
      return { kind: 'wait-for', selector: rest }
    case 'click':
      return { kind: 'click', selector: rest }
    case 'fill': {
      // The first sign with space around it: selectors have theirs without.
      const [, selector, text] = /^(.*?)\s+=\s+(.*)$/s.exec(rest) ?? []
      return selector === undefined ? null : { kind: 'fill', selector, text: text! }
    }
    default:
      return null
  }
}
