import { DAY, HOUR, type RandomSource, type Seconds } from '../../model/index.js'

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
