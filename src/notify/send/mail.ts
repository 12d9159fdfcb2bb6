import { createTransport, type Transporter } from 'nodemailer'
import { OptionError } from '../../model/errors.js'
import { DAY } from '../../model/units.js'
import { notSent, type SendResult } from '../delivery.js'
import type { Message } from '../message.js'
import { channelKind } from './kind.js'

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

/** Plain addresses alone: no names, no lists, nothing that a header could be made of. */
const address = "^(?=.{3,254}$)[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\\w.-]+$"

/** Mail, by the server that the operator names. */
export const email = channelKind({
  kind: 'email',
  label: 'E-mail',
  help: 'Needs a mail server: the setting smtp. Mails come from mail-from, or from revisit@ and the host of the server.',
  fields: {
    to: {
      type: 'list',
      label: 'E-mail addresses',
      most: 20,
      pattern: address,
      help: 'you@example.org, up to 20',
    },
    digest: {
      type: 'seconds',
      label: 'Gather for so many seconds',
      optional: true,
      least: 0,
      most: 31 * DAY,
    },
  },
  schemes: ['mailto'],
  example: 'mailto://you@example.org',
  fromAddress: ({ user, password, host, path }) =>
    user === null || password !== null || path.length > 0 ? null : { to: [`${user}@${host}`] },
  leadsTo: ({ to }) => to.join(', '),
})

/** Sends a message as a plain-text mail. The server may be anyone's: only the operator names it. */
export async function sendMail(
  { to }: { readonly to: readonly string[] },
  { id, title, body, link, notices }: Message,
  { transport, from }: { readonly transport: Transporter; readonly from: string },
): Promise<SendResult> {
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: `[Revisit] ${title}`,
      text: link === null || body.includes(link) ? `${body}\n` : `${body}\n\n${link}\n`,
      // The same for every try: mailboxes that look at it keep one copy.
      messageId: `<revisit-${id}-${notices.length}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    return { sent: true }
  } catch (error) {
    return notSent('receiver', (error as Error).message)
  }
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}
