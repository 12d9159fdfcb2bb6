/** White space other than single spaces. */
const uneven = /[^\S ]| {2}/

/**
 * Gathers text as a reader sees it: runs of white space are one space, and
 * between blocks stands one line end. Linear, however the text comes in pieces.
 */
export class VisibleText {
  readonly #lines: string[] = []
  /** The text of the block at hand, as it came. */
  #block = ''

  add(text: string): void {
    this.#block += text
  }

  /** A new block begins. */
  break(): void {
    if (this.#block === '') return
    const trimmed = this.#block.trim()
    // Most blocks have single spaces only: a look costs a tenth of putting them together anew.
    const line = uneven.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
    if (line !== '') this.#lines.push(line)
    this.#block = ''
  }

  toString(): string {
    this.break()
    return this.#lines.join('\n')
  }
}
