import type { Transporter } from 'nodemailer'
import type { Clock } from '../../model/units.js'
import type { ChannelTarget } from '../channel.js'
import { notSent, type Send } from '../delivery.js'
import { GuardedPost, type GuardedPostOptions } from './guarded-post.js'
import { type MailServer, mailSender, mailTransport } from './mail.js'
import { ntfySender } from './ntfy.js'
import { webhookSender } from './webhook.js'

export interface SendersOptions extends GuardedPostOptions {
  readonly clock: Clock
  /** Without it, channels for e-mail fail and say so. */
  readonly mail?: MailServer | undefined
}

/** A way to send for each kind of channel, over shared connections. */
export class Senders {
  readonly #post: GuardedPost
  readonly #clock: Clock
  readonly #mail: { readonly transport: Transporter; readonly from: string } | undefined

  constructor({ clock, mail, ...options }: SendersOptions) {
    this.#post = new GuardedPost(options)
    this.#clock = clock
    this.#mail = mail && { transport: mailTransport(mail), from: mail.from }
  }

  for(target: ChannelTarget): Send {
    const [post, clock] = [this.#post, this.#clock]
    if (target.kind === 'webhook') return webhookSender(target, { post, clock })
    if (target.kind === 'ntfy') return ntfySender(target, { post })
    if (this.#mail !== undefined) return mailSender(target, this.#mail)
    return async () =>
      notSent('receiver', 'no mail server is set; see the settings smtp and mail-from')
  }

  async close(): Promise<void> {
    this.#mail?.transport.close()
    await this.#post.close()
  }
}
