import type { Transporter } from 'nodemailer'
import type { Clock } from '../../model/units.js'
import { notSent, type Send } from '../delivery.js'
import { type MessageOptions, type MessageTemplate, messageOf } from '../message.js'
import { runCommand } from './command.js'
import { GuardedPost, type GuardedPostOptions } from './guarded-post.js'
import { type ChannelTarget, kindNamed } from './kinds.js'
import { type MailServer, mailTransport, sendMail } from './mail.js'

export interface SendersOptions extends GuardedPostOptions, Pick<MessageOptions, 'dashboard'> {
  readonly clock: Clock
  /** Without it, channels for e-mail fail and say so. */
  readonly mail?: MailServer | undefined
  /** Whether channels may run commands; by the configuration alone. */
  readonly commands?: boolean
}

/** What may be changed while messages are sent. */
export type ChangingSenders = Required<
  Pick<SendersOptions, 'mail' | 'allowedNetworks' | 'dashboard'>
>

function postOf({ clock: _, mail: __, commands: ___, dashboard: ____, ...post }: SendersOptions) {
  return new GuardedPost(post)
}

function mailOf({ mail }: SendersOptions) {
  return mail && { transport: mailTransport(mail), from: mail.from }
}

/** A way to send for each kind of channel, over shared connections. */
export class Senders {
  #options: SendersOptions
  #post: GuardedPost
  #mail: { readonly transport: Transporter; readonly from: string } | undefined

  constructor(options: SendersOptions) {
    this.#options = options
    this.#post = postOf(options)
    this.#mail = mailOf(options)
  }

  /** Another mail server, networks or dashboard from the next message on; what is under way comes to its end. */
  use(changed: ChangingSenders): void {
    const [post, mail] = [this.#post, this.#mail]
    this.#options = { ...this.#options, ...changed }
    this.#post = postOf(this.#options)
    this.#mail = mailOf(this.#options)
    mail?.transport.close()
    post.end()
  }

  for(target: ChannelTarget, template?: MessageTemplate): Send {
    const { dashboard, clock, commands = false } = this.#options
    const written = { template, dashboard }
    if (target.kind === 'email') {
      const mail = this.#mail
      if (mail !== undefined)
        return (notices) => sendMail(target, messageOf(notices, written), mail)
      return async () => notSent('receiver', 'no mail server is set; see the setting smtp')
    }
    if (target.kind === 'command') {
      if (commands) return (notices) => runCommand(target, notices)
      return async () =>
        notSent('receiver', 'commands do not run: the setting notify-commands is off')
    }
    const kind = kindNamed(target.kind)
    const tools = { post: this.#post, clock, dashboard }
    if (kind.sender !== undefined) return kind.sender(target, tools)
    return (notices) => this.#post.send(kind.request!(target, messageOf(notices, written)))
  }

  async close(): Promise<void> {
    this.#mail?.transport.close()
    await this.#post.close()
  }
}
