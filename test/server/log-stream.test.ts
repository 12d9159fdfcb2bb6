import { expect, it } from 'vitest'
import { logStream, plainLine } from '../../src/server/log-stream.js'

/** A line of the log as pino writes it. */
const line = (fields: object) => `${JSON.stringify({ time: 1_700_000_000_000, ...fields })}\n`

it('the log is words at a terminal, safe to show, and JSON elsewhere', () => {
  expect(plainLine(line({ level: 30, msg: 'Server listening at http://127.0.0.1:7400' }))).toBe(
    '2023-11-14T22:13:20Z  Server listening at http://127.0.0.1:7400\n',
  )
  const err = { message: 'disk \u001b[2Jfull' }
  expect(plainLine(line({ level: 50, msg: 'an answer failed', err }))).toBe(
    '2023-11-14T22:13:20Z  error: an answer failed (disk \\u001b[2Jfull)\n',
  )
  for (const isTTY of [true, false]) {
    const written: string[] = []
    const to = { isTTY, write: (text: string) => written.push(text) }
    const json = line({ level: 40, msg: 'slow' })
    logStream(to as unknown as NodeJS.WriteStream).write(json)
    expect(written).toEqual([isTTY ? '2023-11-14T22:13:20Z  warning: slow\n' : json])
  }
})
