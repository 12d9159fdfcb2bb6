import { textWidth } from './table.js'

/**
 * Text as wide as the terminal, line by line: what does not fit goes on under
 * the beginning of its words, past a term and two spaces where it has one. An
 * indented line without a term is an example to copy, and is left whole.
 */
export function wrappedText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, columns))
    .join('\n')
}

function wrappedLine(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line
  const term = /^\s*\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? ''
  if (term === '' && line.startsWith(' ')) return line
  const indent = ' '.repeat(textWidth(term) > columns / 2 ? 4 : textWidth(term))
  const lines = [term]
  for (const word of line.slice(term.length).split(' ')) {
    const last = lines.at(-1)!
    const begun = lines.length > 1 || last !== term
    if (!begun) lines[0] = `${term}${word}`
    else if (textWidth(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${word}`)
  }
  return lines.join('\n')
}
