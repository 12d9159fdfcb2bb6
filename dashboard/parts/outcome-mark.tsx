import type { Outcome } from '../../src/model/history.js'

const words: Readonly<Record<Outcome, string>> = {
  changed: 'changed',
  unchanged: 'no change',
  first: 'first visit',
  gone: 'gone',
  failed: 'failed',
  refused: 'refused',
}

/** How a visit ended, in colour and in words. */
export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  return <span class={`outcome ${outcome}`}>{words[outcome]}</span>
}
