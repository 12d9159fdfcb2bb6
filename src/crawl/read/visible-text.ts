/**
 * Gathers text as a reader sees it: runs of white space are one space, and
 * between blocks stands one line end. Linear, however the text comes in pieces.
 */
export class VisibleText {
  readonly #parts: string[] = []
  /** What stands before the next word. */
  #gap: '' | ' ' | '\n' = ''

  add(text: string): void {
    const collapsed = text.replace(/\s+/g, ' ')
    const word = collapsed.trim()
    if (collapsed.startsWith(' ') && this.#gap === '') this.#gap = ' '
    if (word === '') return
    if (this.#parts.length > 0 && this.#gap !== '') this.#parts.push(this.#gap)
    this.#parts.push(word)
    this.#gap = collapsed.endsWith(' ') ? ' ' : ''
  }

  /** A new block begins. */
  break(): void {
    this.#gap = '\n'
  }

  toString(): string {
    return this.#parts.join('')
  }
}
