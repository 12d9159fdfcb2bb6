import { DAY, HOUR, type RandomSource, type Seconds } from '../model/units.js'
import type { Notice } from './notice.js'

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

/** When a failed delivery is tried again, and when no more. */
export interface RetryRule {
  /** Wait after the first failure; it doubles with each. */
  readonly firstWait: Seconds
  readonly longestWait: Seconds
  /** From the first try of a delivery. */
  readonly giveUpAfter: Seconds
}

export const defaultRetry: RetryRule = {
  firstWait: 10,
  longestWait: HOUR,
  giveUpAfter: 3 * DAY,
}

/** The wait after so many failures in a row: between half and the whole of it, so that retries spread. */
export function retryWait(
  failures: number,
  { rule, random }: { readonly rule: RetryRule; readonly random: RandomSource },
): Seconds {
  const whole = Math.min(rule.longestWait, rule.firstWait * 2 ** Math.min(failures - 1, 40))
  return whole * (0.5 + 0.5 * random.uniform())
}
