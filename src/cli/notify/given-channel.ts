import { OptionError } from '../../model/index.js'
import type { Conditions, GivenTarget, NoticeType } from '../../notify/index.js'
import type { CrawlerFlags } from '../crawler/configured.js'
import { parseDuration } from '../text/parse-duration.js'
import { parseLevel } from '../text/parse-share.js'

export interface NotifyFlags extends CrawlerFlags {
  readonly name?: string
  readonly secret?: string
  readonly token?: string
  readonly digest?: string
  readonly on?: string
  readonly group?: string
  readonly host?: string
  readonly url?: string
  readonly share?: string
  readonly appear?: readonly string[]
  readonly disappear?: readonly string[]
  readonly silentFor?: string
}

/** Where to tell, from `webhook https://...`, `email you@example.org` or `ntfy https://ntfy.sh/topic`. */
export function givenTarget(words: readonly string[], flags: NotifyFlags): GivenTarget {
  const [kind, first, ...more] = words
  if (first === undefined || (more.length > 0 && kind !== 'email')) throw wrongTarget()
  const { secret, token, digest } = flags
  if (kind === 'webhook') return { kind, url: first, ...(secret === undefined ? {} : { secret }) }
  if (kind === 'ntfy') return { kind, url: first, ...(token === undefined ? {} : { token }) }
  if (kind !== 'email') throw wrongTarget()
  const gather = digest === undefined ? {} : { digest: parseDuration(digest, '--digest') }
  return { kind, to: [first, ...more], ...gather }
}

function wrongTarget(): OptionError {
  return new OptionError(
    'bad-option',
    'say revisit notify add webhook https://..., add email you@example.org, or add ntfy https://ntfy.sh/topic',
  )
}

export function givenConditions(flags: NotifyFlags): Conditions {
  const { on, group, host, url, share, appear, disappear, silentFor } = flags
  return {
    ...(on === undefined ? {} : { on: on.split(',').map((each) => each.trim() as NoticeType) }),
    ...(group === undefined ? {} : { group }),
    ...(host === undefined ? {} : { host }),
    ...(url === undefined ? {} : { url }),
    ...(share === undefined ? {} : { changedShare: parseLevel(share, '--share') }),
    ...(appear === undefined ? {} : { appear }),
    ...(disappear === undefined ? {} : { disappear }),
    ...(silentFor === undefined ? {} : { silentFor: parseDuration(silentFor, '--silent-for') }),
  }
}
