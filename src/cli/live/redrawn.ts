/** Lines on a terminal that are drawn again in their place. */
export class Redrawn {
  readonly #say: (text: string) => void
  #height = 0

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  draw(lines: readonly string[]): void {
    const up = this.#height === 0 ? '' : `\u001b[${this.#height}A`
    // Each line is cleared to its end, and all that was below the last.
    this.#say(`${up}\r${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
    this.#height = lines.length
  }
}
