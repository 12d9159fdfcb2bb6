import { shown } from '../../formats/index.js'
import { type ChannelRecord, type DeliveryRecord, humanTime } from '../../model/index.js'
import { type ChannelSettings, type Notice, shownSettings } from '../../notify/index.js'

/** A channel for a program, without its secrets. */
export function channelRecord(record: ChannelRecord, pending: number): object {
  const settings = shownSettings(record.settings as unknown as ChannelSettings)
  return { ...record, settings, pending }
}

/** A channel in a line or two. */
export function channelText(record: ChannelRecord, pending: number): string {
  const { target, when } = record.settings as unknown as ChannelSettings
  const to = target.kind === 'email' ? target.to.join(', ') : target.url
  const conditions = Object.entries(when).map(([name, value]) => ` ${name}=${String(value)}`)
  const state = record.enabled ? '' : ', off'
  const head = `${shown(record.name)}: ${target.kind} ${shown(to)}${shown(conditions.join(''))}${state}, ${pending} waiting\n`
  if (record.error === null) return head
  const rest = record.restsUntil === null ? '' : `, tried again ${humanTime(record.restsUntil)}`
  return `${head}  failing since ${humanTime(record.failingSince!)}: ${shown(record.error)}${rest}\n`
}

/** A delivery in one line. */
export function deliveryText(record: DeliveryRecord): string {
  const { type, page } = record.event as unknown as Notice
  const error = record.error === null ? '' : `: ${shown(record.error)}`
  const when = humanTime(record.endedAt ?? record.madeAt)
  return `${record.id}  ${when}  ${record.state}  ${type} ${shown(page.url)}  tries ${record.attempts}${error}\n`
}
