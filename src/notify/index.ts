/**
 * Who is notified of changes: conditions, texts, senders, deliveries that survive a kill. Uses model, formats, fetch and content.
 */
export { Notifier, type NotifierOptions } from './notifier.js'
export { isSigned } from './send/webhook.js'
