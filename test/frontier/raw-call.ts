import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A gRPC call by bare HTTP/2, for what no well-behaved client does: to send anything, to read nothing, to vanish. */
export class RawCall {
  readonly session: ClientHttp2Session
  readonly stream: ClientHttp2Stream
  readonly #socket: Socket
  /** Messages that came, once somebody reads. */
  readonly messages: Buffer[] = []
  #left = Buffer.alloc(0)

  constructor(address: string, call: string) {
    const [host, port] = address.split(':') as [string, string]
    this.#socket = connectSocket(Number(port), host)
    this.session = connect(`http://${address}`, { createConnection: () => this.#socket })
    this.session.on('error', () => {})
    this.stream = this.session.request({
      ':method': 'POST',
      ':path': `/urlfrontier.URLFrontier/${call}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    this.stream.on('error', () => {})
    onTestFinished(() => this.vanish())
  }

  /** Sends a message; whether more may be sent before the connection takes it. */
  send(message: Uint8Array): boolean {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(message.length, 1)
    return this.stream.write(Buffer.concat([head, message]))
  }

  /** Reads from now on. */
  read(): void {
    this.stream.on('data', (chunk: Buffer) => {
      this.#left = Buffer.concat([this.#left, chunk])
      while (this.#left.length >= 5) {
        const length = this.#left.readUInt32BE(1)
        if (this.#left.length < 5 + length) return
        this.messages.push(this.#left.subarray(5, 5 + length))
        this.#left = this.#left.subarray(5 + length)
      }
    })
  }

  /** Nothing more is sent. */
  end(): void {
    this.stream.end()
  }

  vanish(): void {
    this.#socket.destroy()
    this.session.destroy()
  }
}
