import type { FetchAnswer } from '../../model/index.js'

/**
 * What a status means to a visit that is no redirect; null where it is not an
 * answer to what was asked: part of a page, 304 to a plain request, a number
 * outside HTTP. RFC 9110, 15.
 */
export function answerKind(
  status: number,
  { conditional }: { readonly conditional: boolean },
): Exclude<FetchAnswer['kind'], 'failed'> | null {
  if (status === 304) return conditional ? 'not-modified' : null
  if (status >= 200 && status < 300) return status === 206 ? null : 'content'
  if (status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 425 || status === 429) return 'later'
  if (status >= 400 && status < 500) return 'refused'
  return status >= 500 && status < 600 ? 'later' : null
}

/** Redirects that carry a Location; the permanent ones are 301 and 308. */
export function redirectKind(status: number): 'permanent' | 'temporary' | null {
  if (status === 301 || status === 308) return 'permanent'
  return status === 302 || status === 303 || status === 307 ? 'temporary' : null
}

/** Whether an answer leads elsewhere. */
export function isRedirect(status: number, headers: Readonly<Record<string, string>>): boolean {
  return headers.location !== undefined && redirectKind(status) !== null
}
