import { createTransport, type Transporter } from 'nodemailer'
import { OptionError } from '../../model/errors.js'
import type { MailTarget } from '../channel.js'
import { type NumberedNotice, notSent, type Send } from '../delivery.js'
import { noticeLine, noticeText } from '../notice.js'

/** The mail server, and who the mails are from. */
export interface MailServer {
  /** Such as smtp://user:password@mail.example.org:587, or smtps:// for TLS from the start. */
  readonly smtp: string
  readonly from: string
}

/** Milliseconds. */
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** Opens a way to a mail server; nothing is connected yet. */
export function mailTransport({ smtp }: MailServer): Transporter {
  const url = URL.canParse(smtp) ? new URL(smtp) : null
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new OptionError(
      'bad-smtp',
      'smtp takes an address such as smtp://user:password@mail.example.org:587',
    )
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password goes over no line that can be listened to.
    requireTLS: user !== '' && !secure,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...limits,
    // Texts come from strangers' pages: nothing in them may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Sends notices as one plain-text mail. The server may be anyone's: only the operator names it. */
export function mailSender(
  { to }: MailTarget,
  { transport, from }: { readonly transport: Transporter; readonly from: string },
): Send {
  return async (notices) => {
    try {
      await transport.sendMail({
        from,
        to: [...to],
        subject: subjectOf(notices),
        text: notices.map(({ notice }) => noticeText(notice)).join(`\n${'-'.repeat(40)}\n\n`),
        // The same for every try: mailboxes that look at it keep one copy.
        messageId: `<revisit-${notices.map(({ id }) => id)[0]}-${notices.length}@${domainOf(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return { sent: true }
    } catch (error) {
      return notSent('receiver', (error as Error).message)
    }
  }
}

function subjectOf(notices: readonly NumberedNotice[]): string {
  const first = noticeLine(notices[0]!.notice)
  return notices.length === 1 ? `[Revisit] ${first}` : `[Revisit] ${notices.length} notices`
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}
