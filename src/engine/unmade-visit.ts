import {
  type Lease,
  OptionError,
  PageError,
  type RevisitError,
  type UnixSeconds,
  type VisitReport,
} from '../model/index.js'
import { afterFailure } from './backoff.js'
import { emptyVisit } from './visit-report.js'

/** Whether only this page cannot be asked for or read, such as for a header that cannot be sent. */
export function isPageFault(error: unknown): error is OptionError | PageError {
  return error instanceof OptionError || error instanceof PageError
}

/** Makes whatever goes wrong in a step that is about one page alone that page's own fault. */
export function ofPage<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (isPageFault(error)) throw error
    throw new PageError('unreadable', (error as Error).message.slice(0, 200), { cause: error })
  }
}

/**
 * A visit that could not be made, because of what was set for its page: it
 * failed, and says why. The other pages must not wait for someone to mend it.
 */
export function unmadeReport(
  lease: Lease,
  { error, at }: { readonly error: RevisitError; readonly at: UnixSeconds },
): VisitReport {
  const { failing } = lease.page
  return {
    lease,
    visit: { ...emptyVisit, at, outcome: 'failed', fault: error.code },
    due: afterFailure(at, { failing, fault: error.code, message: error.message }),
  }
}
