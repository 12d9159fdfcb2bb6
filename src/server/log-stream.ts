import { shown } from '../formats/printable-text.js'

interface LogLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly message?: string }
}

/** Pino's number of a warning; errors are above. */
const warning = 40

/** Where the service's log goes: a line of JSON each for programs, words for a person at a terminal. */
export function logStream(to: NodeJS.WriteStream = process.stderr): { write(line: string): void } {
  if (!to.isTTY) return to
  return { write: (line) => void to.write(plainLine(line)) }
}

/** One line of the log in words. */
export function plainLine(line: string): string {
  const { level, time, msg = '', err } = JSON.parse(line) as LogLine
  const moment = `${new Date(time).toISOString().slice(0, 19)}Z`
  const kind = level > warning ? 'error: ' : level === warning ? 'warning: ' : ''
  const why = err?.message === undefined || err.message === msg ? '' : ` (${err.message})`
  return `${moment}  ${kind}${shown(`${msg}${why}`)}\n`
}
