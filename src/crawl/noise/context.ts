import { formOf } from './token-form.js'

/** Beyond the first and the last token. */
const edge = ''

/** Contexts are kept with the page; no word of a text is longer. */
const longestName = 200

/** Tokens as a context names them: one that looks machine-made counts by its form, not by its value. */
export function namedTokens(tokens: readonly string[]): string[] {
  return tokens.map((token, i) => {
    const form = formOf(token, tokens[i + 1] ?? '')
    return form === null ? token.slice(0, longestName) : `<${form}>`
  })
}

/** The tokens before a place, the nearest last. */
export function contextBefore(
  named: readonly string[],
  { at, most }: { readonly at: number; readonly most: number },
): string[] {
  return Array.from({ length: most }, (_, i) => named[at - most + i] ?? edge)
}

/** The tokens from a place on. */
export function contextAfter(
  named: readonly string[],
  { at, most }: { readonly at: number; readonly most: number },
): string[] {
  return Array.from({ length: most }, (_, i) => named[at + i] ?? edge)
}

/** Whether these tokens stand right before a place. */
export function endsAt(named: readonly string[], at: number, context: readonly string[]): boolean {
  const from = at - context.length
  return context.every((token, i) => (named[from + i] ?? edge) === token)
}

/** Whether these tokens stand from a place on. */
export function startsAt(
  named: readonly string[],
  at: number,
  context: readonly string[],
): boolean {
  return context.every((token, i) => (named[at + i] ?? edge) === token)
}
