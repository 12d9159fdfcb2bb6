import { OptionError } from '../../../model/index.js'

/**
 * A regular expression of a reading rule: Unicode, no flags of its own. One
 * that repeats a group in which something is repeated or chosen is refused:
 * such groups can take longer than the age of the universe. What passes and is
 * slow all the same is stopped when it runs.
 */
export function checkedExpression(source: string): RegExp {
  let made: RegExp
  try {
    made = new RegExp(source, 'gu')
  } catch (error) {
    throw new OptionError(
      'bad-expression',
      `"${source}" is no regular expression: ${(error as Error).message}`,
    )
  }
  if (repeatsRepetition(source))
    throw new OptionError(
      'slow-expression',
      `"${source}" repeats a group in which something is repeated or chosen, which may never end; write it without the outer or the inner repetition`,
    )
  return made
}

/** Whether a group with a quantifier or `|` in it is itself repeated without a small limit. */
function repeatsRepetition(source: string): boolean {
  const bare = source.replace(/\\./gu, 'x').replace(/\[[^\]]*\]/gu, 'x')
  const inner: boolean[] = [false]
  for (let i = 0; i < bare.length; i++) {
    const char = bare[i]!
    if (char === '(') {
      inner.push(false)
      if (bare[i + 1] === '?') i++
    } else if (char === ')') {
      const within = inner.pop() === true
      if (within && repeated.test(bare.slice(i + 1))) return true
      if (within && inner.length > 0) inner[inner.length - 1] = true
    } else if (char === '|' || repeated.test(bare.slice(i, i + 12))) inner[inner.length - 1] = true
  }
  return false
}

const repeated = /^(?:[*+]|\{\d+,\}|\{\d+,\d{2,}\}|\{\d{2,}\})/
