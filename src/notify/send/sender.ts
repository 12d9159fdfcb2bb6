import type { Notice } from '../notice.js'

/** A notice with the number of its delivery, by which a receiver knows a second copy. */
export interface NumberedNotice {
  readonly id: string
  readonly notice: Notice
}

/**
 * What came of sending. `receiver`: nothing would get through now, so the
 * whole channel rests; `notice`: this one was refused, others may pass.
 */
export type SendResult =
  | { readonly sent: true }
  | { readonly sent: false; readonly blame: 'receiver' | 'notice'; readonly error: string }

/** Sends notices, as one message. Never throws: a failure is a result. */
export type Send = (notices: readonly NumberedNotice[]) => Promise<SendResult>

export function notSent(blame: 'receiver' | 'notice', error: string): SendResult {
  return { sent: false, blame, error: error.replace(/\s+/g, ' ').slice(0, 300) }
}
