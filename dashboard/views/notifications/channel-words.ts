import { humanDuration } from '../../../src/model/duration.js'
import { percent } from '../../../src/model/units.js'
import type { ChannelAnswer } from '../../../src/server/events/channels.js'

/** Where a channel leads. */
export function targetWords({ target, leadsTo }: ChannelAnswer): string {
  return `${target.kind} to ${leadsTo}`
}

/** Of what it tells, in words. */
export function conditionWords(when: ChannelAnswer['when']): string {
  const parts = [
    (when.on ?? ['changed', 'gone']).join(' or '),
    when.group === undefined ? '' : `in the group ${when.group}`,
    when.exceptGroups === undefined ? '' : `not in ${when.exceptGroups.join(' or ')}`,
    when.host === undefined ? '' : `on ${when.host}`,
    when.url === undefined ? '' : `at ${when.url}`,
    when.changedShare === undefined ? '' : `by ${percent(when.changedShare)} of the text at least`,
    when.appear === undefined ? '' : `where “${when.appear.join('” or “')}” appears`,
    when.disappear === undefined ? '' : `where “${when.disappear.join('” or “')}” disappears`,
    ...priceWords(when.price),
    when.silentFor === undefined ? '' : `not changed for ${humanDuration(when.silentFor)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function priceWords(price: ChannelAnswer['when']['price']): string[] {
  if (price === undefined) return []
  const { below, above, changedBy, stock } = price
  return [
    below === undefined ? '' : `priced below ${below}`,
    above === undefined ? '' : `priced above ${above}`,
    changedBy === undefined ? '' : `with a price changed by more than ${percent(changedBy)}`,
    stock === undefined ? '' : stock === 'in' ? 'back in stock' : 'out of stock',
  ]
}

/** When it sends, where that is not at once; with whether its words are a person's own. */
export function timingWords({ timing = {}, message = {} }: ChannelAnswer): string {
  const { digest, digestAt, quiet, zone = 'UTC' } = timing
  const together =
    digest === undefined
      ? ''
      : digest === 'hour'
        ? 'together, each full hour'
        : digest === 'day'
          ? `together, each day at ${digestAt ?? '08:00'}`
          : `together, ${humanDuration(digest)} after the first`
  const parts = [together, quiet === undefined ? '' : `not in the quiet hours ${quiet}`]
  const when = parts.filter(Boolean).join(', ')
  const words = Object.keys(message).length === 0 ? '' : 'In words of your own.'
  const place = quiet === undefined && digest !== 'day' ? '' : ` (${zone})`
  return [when === '' ? '' : `Sent ${when}${place}.`, words].filter(Boolean).join(' ')
}
