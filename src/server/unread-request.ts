import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorAnswer } from './api-error.js'

/** What Node's reader of HTTP calls a fault, and what is answered. */
const faults: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'the headers of this request are too long; 16 KiB are taken',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'this request did not come in time; send it at once',
  },
}
const unreadable = { status: 400, message: 'this is no request of HTTP/1.1' }

/**
 * Answers what could not be read as a request, and so never reaches a route, in
 * the form of all other errors.
 */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, message } = faults[error.code ?? ''] ?? unreadable
  const body = JSON.stringify(errorAnswer({ statusCode: status, message }).body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
