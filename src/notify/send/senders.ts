import type { Transporter } from 'nodemailer'
import type { Clock } from '../../model/units.js'
import { notSent, type Send } from '../delivery.js'
import { type MessageOptions, type MessageTemplate, messageOf } from '../message.js'
import { runCommand } from './command.js'
import { GuardedPost, type GuardedPostOptions, type Post } from './guarded-post.js'
import { type ChannelTarget, kindNamed } from './kinds.js'
import { type MailServer, mailTransport, sendMail } from './mail.js'

export interface SendersOptions extends GuardedPostOptions, Pick<MessageOptions, 'dashboard'> {
  readonly clock: Clock
  /** Without it, channels for e-mail fail and say so. */
  readonly mail?: MailServer | undefined
  /** Whether channels may run commands; by the configuration alone. */
  readonly commands?: boolean
}

/** A way to send for each kind of channel, over shared connections. */
export class Senders {
  readonly #post: GuardedPost
  readonly #clock: Clock
  readonly #mail: { readonly transport: Transporter; readonly from: string } | undefined
  readonly #commands: boolean
  readonly #dashboard: MessageOptions['dashboard']

  constructor({ clock, mail, commands = false, dashboard, ...options }: SendersOptions) {
    this.#post = new GuardedPost(options)
    this.#clock = clock
    this.#mail = mail && { transport: mailTransport(mail), from: mail.from }
    this.#commands = commands
    this.#dashboard = dashboard
  }

  for(target: ChannelTarget, template?: MessageTemplate): Send {
    const dashboard = this.#dashboard
    const written = { template, dashboard }
    if (target.kind === 'email') {
      const mail = this.#mail
      if (mail !== undefined)
        return (notices) => sendMail(target, messageOf(notices, written), mail)
      return async () =>
        notSent('receiver', 'no mail server is set; see the settings smtp and mail-from')
    }
    if (target.kind === 'command') {
      if (this.#commands) return (notices) => runCommand(target, notices)
      return async () =>
        notSent('receiver', 'commands do not run: the setting notify-commands is off')
    }
    const { sender, request } = kindNamed(target.kind)
    const tools = { post: this.#post, clock: this.#clock, dashboard }
    if (sender !== undefined) return sender(target as never, tools as never) as Send
    return (notices) =>
      this.#post.send(request!(target as never, messageOf(notices, written) as never) as Post)
  }

  async close(): Promise<void> {
    this.#mail?.transport.close()
    await this.#post.close()
  }
}
