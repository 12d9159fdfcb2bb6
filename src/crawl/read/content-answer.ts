import type { FetchAnswer, PageRecord } from '../../model/index.js'

/** An answer that brought content. */
export type ContentAnswer = Extract<FetchAnswer, { kind: 'content' }>

/** Of a page's record, what reading it needs. */
export type ReadPage = Pick<PageRecord, 'url' | 'settings' | 'noise' | 'visits' | 'lastSeen'>
