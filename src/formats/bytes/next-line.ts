import { isBlank, LF } from './ascii.js'
import { type ByteWindow, longestRecord } from './record-window.js'

/** Where the line at `window.from` ends (its line end excluded), or -1 if that is not at hand. */
export function endOfLine({ bytes, from, to }: ByteWindow): number {
  let end = from
  while (bytes[end] !== LF) end++
  return end === to || end - from > longestRecord ? -1 : end
}

/** Whether there is nothing but blanks. */
export function isBlankLine(bytes: Uint8Array, line: { start: number; end: number }): boolean {
  for (let i = line.start; i < line.end; i++) if (!isBlank(bytes[i])) return false
  return true
}
