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
export { type ChangeTexts, changeTexts } from './describe/change-texts.js'
export { noticeLine, noticeText } from './describe/notice-text.js'
export { type Notice, type NoticeType, noticeTypes } from './notice.js'
export { Notifier, type NotifierOptions } from './notifier.js'
export { type MailServer, mailTransport } from './send/mail.js'
export type { SendResult } from './send/sender.js'
export { isSigned, signature, signatureHeader } from './send/signature.js'
