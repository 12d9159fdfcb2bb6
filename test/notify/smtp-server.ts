import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A mail as it came over the line. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly data: string
}

/** A small real SMTP server on loopback (RFC 5321: EHLO, MAIL, RCPT, DATA, RSET, QUIT). */
export class SmtpServer {
  readonly mails: ReceivedMail[] = []
  /** While true, each mail is refused after its data. */
  refusing = false
  url = ''

  static async open(): Promise<SmtpServer> {
    const smtp = new SmtpServer()
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      smtp.#serve(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    smtp.url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`
    return smtp
  }

  #serve(socket: Socket): void {
    let [text, inData, from] = ['', false, '']
    let to: string[] = []
    const say = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'MAIL') from = /<(.*)>/.exec(line)?.[1] ?? ''
      if (verb === 'RCPT') to.push(/<(.*)>/.exec(line)?.[1] ?? '')
      if (verb === 'RSET') to = []
      if (verb === 'DATA') inData = true
      if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say(verb === 'DATA' ? '354 go on' : verb === 'EHLO' ? '250 test' : '250 ok')
    }
    say('220 test')
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        const mark = inData ? '\r\n.\r\n' : '\r\n'
        const end = text.indexOf(mark)
        if (end < 0) return
        const part = text.slice(0, end)
        text = text.slice(end + mark.length)
        if (!inData) {
          command(part)
          continue
        }
        inData = false
        if (!this.refusing) this.mails.push({ from, to, data: part })
        to = []
        say(this.refusing ? '451 try again later' : '250 taken')
      }
    })
  }
}
