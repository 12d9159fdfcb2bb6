import type { FetchAnswer } from '../../model/index.js'

/** An answer that brought content. */
export type ContentAnswer = Extract<FetchAnswer, { kind: 'content' }>
