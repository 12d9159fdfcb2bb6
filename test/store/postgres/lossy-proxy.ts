import { connect, createServer, type Socket } from 'node:net'

/** The query `commit` as `pg` sends it: https://www.postgresql.org/docs/current/protocol-message-formats.html, Query. */
const commit = Buffer.concat([
  Buffer.from('Q'),
  Buffer.from([0, 0, 0, 11]),
  Buffer.from('commit\0'),
])

/** When a connection is cut at a commit. */
export const cutKinds = ['after its answer', 'at once', 'before'] as const
type Cut = (typeof cutKinds)[number]

/**
 * Stands between a store and its server. When armed, the next connection that
 * commits is cut: before the server is sent it, right after, or once it has
 * answered and before the answer is passed on.
 */
export class LossyProxy {
  cuts = 0
  /** Called when a connection is cut. */
  onCut: () => void = () => {}
  #armed: Cut | undefined
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#relay(client))
  readonly #to: URL

  constructor(to: string) {
    this.#to = new URL(to)
  }

  /** The address that leads through it. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const through = new URL(this.#to)
    const address = this.#server.address()
    through.port = String(typeof address === 'object' ? address?.port : 0)
    return through.href
  }

  arm(cut: Cut): void {
    this.#armed = cut
  }

  /** Cuts all connections now. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.cutAll()
    this.#server.close()
  }

  #relay(client: Socket): void {
    const server = connect(Number(this.#to.port), this.#to.hostname)
    let cutting = false
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    const cut = () => {
      this.cuts++
      this.onCut()
      client.destroy()
      server.destroy()
    }
    client.on('data', (chunk) => {
      const armed = this.#armed
      if (armed === undefined || !chunk.includes(commit)) {
        server.write(chunk)
        return
      }
      this.#armed = undefined
      cutting = true
      if (armed === 'before') cut()
      else server.write(chunk, () => (armed === 'at once' ? cut() : undefined))
    })
    server.on('data', (chunk) => {
      if (cutting) cut()
      else client.write(chunk)
    })
  }
}
