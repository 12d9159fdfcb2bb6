import { withinRuleTime } from './rule-time.js'

/**
 * A text without the lines and matches that expressions leave out. Spaces left
 * at the ends of a line go too.
 */
export function leftOut(
  text: string,
  { lines, matches }: { readonly lines: readonly RegExp[]; readonly matches: readonly RegExp[] },
): string {
  if (lines.length === 0 && matches.length === 0) return text
  const dropped = (line: string) =>
    lines.some((each) => {
      each.lastIndex = 0
      return each.test(line)
    })
  const cut = (line: string) => matches.reduce((rest, each) => rest.replace(each, ''), line)
  const rest = withinRuleTime('a regular expression', () =>
    text
      .split('\n')
      .filter((line) => !dropped(line))
      .map(cut),
  )
  return rest
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
