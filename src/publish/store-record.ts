import { OptionError } from '../model/errors.js'
import { succeeded } from '../model/history.js'
import { DAY, type UnixSeconds } from '../model/units.js'
import type { VisitRecord } from '../model/visit-record.js'
import type { ChangeRecord } from './tag.js'

/**
 * The addresses under which a file of a folder may be served, the likeliest
 * first: `a/index.html` also as `a/`, `a.html` also as `a`.
 */
export function addressesOf(path: string, { base }: { readonly base: string }): string[] {
  const root = rootOf(base)
  const written = path.split('/').map(encodeURIComponent).join('/')
  const forms = [written.replace(/(^|\/)index\.(?:x?html?)$/i, '$1'), written]
  if (!/(^|\/)index\.[^/]*$/i.test(written)) forms.push(written.replace(/\.[^./]*$/, ''))
  return [...new Set(forms)].map((each) => new URL(each, root).href)
}

/** The address of the folder, with the `/` at its end. */
function rootOf(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OptionError(
      'bad-base',
      `"${base}" is not the address of a site; give one such as https://example.org/docs/`,
    )
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Visits further apart leave a week of which nothing is known. */
const longestGap = 8 * DAY

/**
 * A page's past as its visits saw it, back to the last stretch without visits;
 * null where it was never seen, or not in the last week. Several changes
 * between two visits count once: visits less often than daily count too few.
 */
export function visitsPast(
  visits: readonly VisitRecord[],
  { now }: { readonly now: UnixSeconds },
): ChangeRecord | null {
  let since: UnixSeconds | null = null
  let last = -Infinity
  const changes: UnixSeconds[] = []
  for (const { at, outcome, gap, contentAge } of visits) {
    if (!succeeded(outcome)) continue
    if (since === null || at - last > longestGap) since = at
    else if (outcome === 'changed')
      changes.push(contentAge !== null && contentAge < (gap ?? 0) ? at - contentAge : at)
    last = at
  }
  return since === null || now - last > longestGap ? null : { since, changes }
}
