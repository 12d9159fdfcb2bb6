import { shown } from '../../formats/index.js'
import { textWidth } from '../text/shortened.js'
import type { TextOutput } from '../world.js'

/** The head of a page's own block of text. */
export function pageBlock(
  out: TextOutput,
  { url, summary }: { readonly url: string; readonly summary: string },
): void {
  out.write(`\n${shown(url)}\n${wrappedLines(summary, out)}`)
}

/** A sentence in lines as wide as the terminal, or 100 signs. */
export function wrappedLines(text: string, { columns = 100 }: TextOutput): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && textWidth(`${last} ${word}`) <= columns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return `${lines.join('\n')}\n`
}
