import { createContext, Script } from 'node:vm'
import { RuleFault } from './rule-fault.js'

/** The longest that expressions may run on one content. */
const timeout = 250
const box = createContext(Object.create(null))
const script = new Script(
  'lines.filter((line) => !drop.some((each) => (each.lastIndex = 0, each.test(line)))).map((line) => cut.reduce((rest, each) => rest.replace(each, ""), line))',
)

/**
 * A text without the lines and matches that expressions leave out. It runs
 * where it can be broken off: a person's expression may be slow on a page
 * nobody has seen yet. Spaces left at the ends of a line go too.
 */
export function leftOut(
  text: string,
  { lines, matches }: { readonly lines: readonly RegExp[]; readonly matches: readonly RegExp[] },
): string {
  if (lines.length === 0 && matches.length === 0) return text
  Object.assign(box, { lines: text.split('\n'), drop: lines, cut: matches })
  try {
    const rest = script.runInContext(box, { timeout }) as string[]
    return rest
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new RuleFault('rule-too-slow', 'a regular expression of this page took too long')
  } finally {
    Object.assign(box, { lines: null, drop: null, cut: null })
  }
}
