/**
 * Who is told of changes: conditions, texts, senders, deliveries that survive a kill. Uses model, formats, fetch and content.
 */
export {
  type ChannelSettings,
  type ChannelTarget,
  type Conditions,
  checkedSettings,
  type GivenTarget,
  type MailTarget,
  type NtfyTarget,
  shownSettings,
  type WebhookTarget,
} from './channel.js'
export { defaultRetry, type RetryRule, retryWait, type SendResult } from './delivery.js'
export { type Notice, type NoticeType, noticeLine, noticeText, noticeTypes } from './notice.js'
export { Notifier, type NotifierOptions } from './notifier.js'
export { type MailServer, mailTransport } from './send/mail.js'
export { isSigned, signature, signatureHeader } from './send/webhook.js'
export { type SeenChange, seenChange } from './visit-notice.js'
