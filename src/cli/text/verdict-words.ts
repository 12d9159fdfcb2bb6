import type { Verdict } from '../../model/index.js'

/** A verdict as a person reads it in a table. */
export const verdictWords: Record<Verdict, string> = {
  ok: 'ok',
  'no-observation': 'seen less than twice',
  'prior-only': 'not seen twice yet: the prior',
  'no-content-age': 'no Last-Modified',
  'no-change-seen': 'no change seen',
  'always-changed': 'changed at every visit',
  'short-sampling': 'sampled too briefly',
  'unequal-gaps': 'the gaps are unequal',
}
