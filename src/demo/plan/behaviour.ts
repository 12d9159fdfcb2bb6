import type { UnixSeconds } from '../../model/index.js'
import type { LastModifiedKind } from '../../simulate/index.js'

/** How a page answers, apart from what it says. */
export const accessKinds = {
  plain: 'answers',
  slow: 'answers late',
  gone: 'answers, and is gone (410) after some days',
  disallowed: 'closed to robots by robots.txt',
  forbidden: 'refuses everybody (403)',
  failing: 'fails now and then (500, 503, no answer at all)',
  moved: 'sends on to another page (301, 302, 307, 308)',
} as const
export type AccessKind = keyof typeof accessKinds

export type Access =
  | { readonly kind: Exclude<AccessKind, 'gone' | 'moved'> }
  | { readonly kind: 'gone'; readonly goneAt: UnixSeconds }
  | { readonly kind: 'moved'; readonly status: 301 | 302 | 307 | 308; readonly target: number }

/** What a page's server tells of its content beside it, true or not. */
export interface Telling {
  readonly words: string
  /** A digest of the content: it never lies. */
  readonly etag: boolean
  readonly lastModified: LastModifiedKind
  /** Whether it answers 304 to a request that names what it told before. */
  readonly conditional: boolean
}

export const tellings = {
  both: {
    words: 'ETag and Last-Modified, 304',
    etag: true,
    lastModified: 'honest',
    conditional: true,
  },
  etag: { words: 'ETag, 304', etag: true, lastModified: 'missing', conditional: true },
  date: { words: 'Last-Modified, 304', etag: false, lastModified: 'honest', conditional: true },
  dateOnly: {
    words: 'Last-Modified, never a 304',
    etag: false,
    lastModified: 'honest',
    conditional: false,
  },
  nothing: { words: 'nothing', etag: false, lastModified: 'missing', conditional: false },
  stuck: {
    words: 'a Last-Modified that never moves',
    etag: false,
    lastModified: 'stuck',
    conditional: false,
  },
  false304: {
    words: 'a Last-Modified that never moves, and 304 by it',
    etag: false,
    lastModified: 'stuck',
    conditional: true,
  },
  now: {
    words: 'a Last-Modified of now, always',
    etag: false,
    lastModified: 'now',
    conditional: false,
  },
  random: {
    words: 'a Last-Modified at random',
    etag: false,
    lastModified: 'random',
    conditional: false,
  },
} as const satisfies Record<string, Telling>
