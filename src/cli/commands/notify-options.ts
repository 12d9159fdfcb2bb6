import { shown } from '../../formats/printable-text.js'
import { OptionError } from '../../model/errors.js'
import { given } from '../../model/given.js'
import { writtenNumber } from '../../model/written-number.js'
import type { Conditions, GivenTarget } from '../../notify/channel.js'
import type { NoticeType } from '../../notify/notice.js'
import type { Fields } from '../../notify/send/kind.js'
import { kindNamed, targetFromAddress } from '../../notify/send/kinds.js'
import type { Timing } from '../../notify/timing.js'
import type { FlagsOf } from '../command.js'
import type { CrawlerFlags } from '../configured.js'
import { oneOf, parseLevel } from '../text/numbers.js'
import { positiveDuration } from '../text/time.js'

export const addOptions = [
  ['--name <name>', 'its name (default: the host or address)'],
  ['--set <name=value>', 'a setting of the kind, as revisit notify kinds lists them', 'again'],
  ['--secret <text>', 'signs what a webhook sends (default: one is made)'],
  ['--token <text>', 'access token, where the kind has one'],
  ['--digest <time>', 'one message each hour, each day, or for so long, such as 2h', digestOf],
  ['--digest-at <time>', "when a day's digest is sent (default: 08:00)"],
  ['--quiet <hours>', 'send nothing in these hours, such as 22:00-07:00'],
  ['--zone <name>', 'of these times, such as Europe/Berlin (default: UTC)'],
  ['--title <template>', 'title of your own, such as "{{host}}: {{added}}"'],
  ['--body <template>', 'text of your own; revisit notify kinds lists what it can name'],
  ['--on <kinds>', 'changed, gone, silent, with commas between them (default: changed,gone)'],
  ['--group <name>', 'only pages of this group or with this tag'],
  ['--except-group <name...>', 'not of pages of these groups or with these tags'],
  ['--host <host>', 'only pages of this host'],
  ['--url <pattern>', 'only these addresses; * stands for any text'],
  ['--share <share>', 'only changes of so much of what is compared, such as 5%', parseLevel],
  ['--appear <text...>', 'only changes in which one of these is new in what is compared'],
  ['--disappear <text...>', 'only changes in which one of these has gone'],
  [
    '--price-below <number>',
    'only where the price on the page is another now, and below this',
    priceOf,
  ],
  ['--price-above <number>', 'the same above this', priceOf],
  [
    '--price-changed <share>',
    'only where the price changed by more than this, such as 5%',
    parseLevel,
  ],
  ['--stock <state>', 'only where it is in stock now, or out of it: in, out', oneOf('in', 'out')],
  ['--silent-for <time>', 'notify also when a page has not changed for so long', positiveDuration],
] as const

export type AddFlags = FlagsOf<typeof addOptions> & CrawlerFlags

/** Where to, from `slack https://hooks...`, `email you@example.org`, or an address such as `tgram://...`. */
export function givenTarget(words: readonly string[], flags: AddFlags): GivenTarget {
  const [first, ...rest] = words
  if (first === undefined) throw wrongTarget()
  if (rest.length === 0 && /^[a-z0-9]+:\/\//i.test(first)) return targetFromAddress(first)
  if (rest.length === 0 && flags.set === undefined) throw wrongTarget()
  const { kind, fields } = kindNamed(first)
  const [main, about] = Object.entries(fields)[0]!
  if (rest.length > 1 && about.type !== 'list') throw wrongTarget()
  const { secret, token } = flags
  const digest = kind === 'email' ? flags.digest : undefined
  return {
    kind,
    ...(rest.length === 0 ? {} : { [main]: about.type === 'list' ? rest : rest[0] }),
    ...given({ secret, token, digest: typeof digest === 'number' ? digest : undefined }),
    ...Object.fromEntries((flags.set ?? []).map((text) => setting(text, fields))),
  }
}

function setting(text: string, fields: Fields): readonly [string, unknown] {
  const equals = text.indexOf('=')
  if (equals < 1)
    throw new OptionError('bad-option', `--set takes name=value; got ${shown(text.slice(0, 40))}`)
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)]
  const type = fields[name]?.type
  return [
    name,
    type === 'number' || type === 'seconds'
      ? Number(value)
      : type === 'list'
        ? value.split(',')
        : value,
  ]
}

function wrongTarget(): OptionError {
  return new OptionError(
    'bad-option',
    'say revisit notify add slack https://hooks.slack.com/..., add email you@example.org, or add tgram://token/chat; revisit notify kinds lists all',
  )
}

function digestOf(text: string, option: string): NonNullable<Timing['digest']> {
  return text === 'hour' || text === 'day' ? text : positiveDuration(text, option)
}

export function givenTiming(kind: string, flags: AddFlags): Timing {
  const { digest, digestAt, quiet, zone } = flags
  const mailsOwn = kind === 'email' && typeof digest === 'number'
  return given({ digest: mailsOwn ? undefined : digest, digestAt, quiet, zone })
}

export function givenConditions(flags: AddFlags): Conditions {
  const { group, exceptGroup: exceptGroups, host, url, share: changedShare } = flags
  const { appear, disappear, silentFor, stock } = flags
  const { priceBelow: below, priceAbove: above, priceChanged: changedBy } = flags
  const price = given({ below, above, changedBy, stock })
  return given({
    on: flags.on?.split(',').map((each) => each.trim() as NoticeType),
    group,
    exceptGroups,
    host,
    url,
    changedShare,
    appear,
    disappear,
    price: Object.keys(price).length === 0 ? undefined : price,
    silentFor,
  })
}

/** As it is written on the page, 1.299,00 too. */
function priceOf(text: string, option: string): number {
  const value = writtenNumber(text)
  if (value !== null) return value
  throw new OptionError('bad-option', `${option} takes a number; got ${shown(text.slice(0, 40))}`)
}
