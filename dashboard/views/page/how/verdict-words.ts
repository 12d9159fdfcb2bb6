import type { Verdict } from '../../../../src/model/estimate.js'

/** What to think of an estimate. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  ok: 'no caution needed',
  'no-observation': 'it needs two successful visits',
  'prior-only': 'nothing was observed yet: this is what similar pages do',
  'no-content-age': 'it needs Last-Modified, and the server does not tell it',
  'no-change-seen': 'no change was seen yet: only the lower bound means something',
  'always-changed': 'every visit found a change: it may change far more often',
  'short-sampling': 'watched for less than three times the change period',
  'unequal-gaps': 'this method assumes equal gaps, and these are not',
}
