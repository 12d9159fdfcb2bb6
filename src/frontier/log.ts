/** From the least to the most important; `SetLogLevel` chooses from which on lines are written. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Lines for whoever runs a frontier. */
export class FrontierLog {
  readonly #write: (line: string) => void
  #from: number
  readonly #written = new Set<string>()

  constructor(write: (line: string) => void, from: LogLevel = 'info') {
    this.#write = write
    this.#from = logLevels.indexOf(from)
  }

  setLevel(level: LogLevel): void {
    this.#from = logLevels.indexOf(level)
  }

  debug(text: string): void {
    this.#line('debug', text)
  }

  info(text: string): void {
    this.#line('info', text)
  }

  warn(text: string): void {
    this.#line('warn', text)
  }

  error(text: string): void {
    this.#line('error', text)
  }

  /** The same text only the first time. */
  warnOnce(text: string): void {
    if (this.#written.has(text)) return
    this.#written.add(text)
    this.warn(text)
  }

  #line(level: LogLevel, text: string): void {
    if (logLevels.indexOf(level) >= this.#from) this.#write(`frontier: ${text}`)
  }
}
