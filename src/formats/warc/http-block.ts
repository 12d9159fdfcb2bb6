import { STATUS_CODES } from 'node:http'
import type { Capture } from './capture.js'

/** Headers that told how the content was packed on its way; it is kept unpacked. */
const packing = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

/** The answer as HTTP writes it. The packing that is gone is told under other names. */
export function httpBlock({ status, headers, body }: Capture): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => {
    const kept = packing.has(name.toLowerCase()) ? `x-archive-orig-${name}` : name
    return `${kept}: ${value.replace(/[\r\n\0]+/g, ' ')}`
  })
  if (body !== null) lines.push(`content-length: ${body.length}`)
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const head = Buffer.from(`${[start, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}
