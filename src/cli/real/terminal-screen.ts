import type { Screen } from '../world.js'

type Terminal = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>

const csi = '\u001b['

/**
 * Draws over the lines it drew before. Each line is cut to the width and the
 * lines to the height: one that wraps would shift all that follow.
 */
export class TerminalScreen implements Screen {
  readonly #terminal: Terminal
  #drawn = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get columns(): number {
    return this.#terminal.columns ?? 80
  }

  get rows(): number {
    return this.#terminal.rows ?? 24
  }

  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, Math.max(1, this.rows - 1))
    const text = shown.map((line) => `${[...line].slice(0, this.columns - 1).join('')}${csi}K\n`)
    this.#terminal.write(`${this.#home()}${text.join('')}${csi}J`)
    this.#drawn = shown.length
  }

  clear(): void {
    if (this.#drawn > 0) this.#terminal.write(`${this.#home()}${csi}J`)
    this.#drawn = 0
  }

  #home(): string {
    return this.#drawn === 0 ? '' : `${csi}${this.#drawn}A\r`
  }
}
