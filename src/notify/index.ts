/** How kept versions are compared, for the service, which does not use the crawler's room itself. */
export { type Incomparable, VersionDiffs, whyIncomparable } from '../crawl/index.js'
export {
  type ChannelSettings,
  type ChannelTarget,
  type Conditions,
  type MailTarget,
  type NtfyTarget,
  shownSettings,
  type WebhookTarget,
} from './channel.js'
export { checkedSettings, type GivenTarget } from './checked-settings.js'
export { defaultRetry, type RetryRule, retryWait } from './deliver/retry-wait.js'
export { noticeLine, noticeText } from './describe/notice-text.js'
export { type SeenChange, seenChange } from './describe/seen-change.js'
export { type Notice, type NoticeType, noticeTypes } from './notice.js'
export { Notifier, type NotifierOptions } from './notifier.js'
export { type MailServer, mailTransport } from './send/mail.js'
export type { SendResult } from './send/sender.js'
export { isSigned, signature, signatureHeader } from './send/signature.js'
