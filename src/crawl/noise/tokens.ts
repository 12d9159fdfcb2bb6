/** Ends a line of the visible text; a token like any other, so that masks keep to their lines. */
export const lineEnd = '\n'

/** The words of a text with the ends of its lines. O(n). */
export function tokensOf(text: string): string[] {
  return text.match(/[^\s]+|\n/g) ?? []
}

/** The text of tokens, one space between words. */
export function textOf(tokens: readonly string[]): string {
  return tokens.join(' ')
}
