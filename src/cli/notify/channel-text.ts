import { shown } from '../../formats/index.js'
import { type ChannelRecord, type DeliveryRecord, humanTime } from '../../model/index.js'
import {
  type ChannelSettings,
  type Conditions,
  type Notice,
  shownSettings,
} from '../../notify/index.js'
import { duration } from '../config/kinds.js'

/** A channel for a program, without its secrets. */
export function channelRecord(record: ChannelRecord, pending: number): object {
  const settings = shownSettings(record.settings as unknown as ChannelSettings)
  return { ...record, settings, pending }
}

/** A channel in a line or two. */
export function channelText(record: ChannelRecord, pending: number): string {
  const { target, when } = record.settings as unknown as ChannelSettings
  const to = target.kind === 'email' ? target.to.join(', ') : target.url
  const choices = [...targetWords(target), ...conditionWords(when)].map((each) => ` ${each}`)
  const state = record.enabled ? '' : ', off'
  const head = `${shown(record.name)}: ${target.kind} ${shown(to)}${shown(choices.join(''))}${state}, ${pending} waiting\n`
  if (record.error === null) return head
  const rest = record.restsUntil === null ? '' : `, tried again ${humanTime(record.restsUntil)}`
  return `${head}  failing since ${humanTime(record.failingSince!)}: ${shown(record.error)}${rest}\n`
}

/** What was chosen for the way there; a token is named, never shown. */
function targetWords(target: ChannelSettings['target']): string[] {
  if (target.kind === 'email')
    return target.digest === undefined ? [] : [`digest=${duration.write(target.digest)}`]
  if (target.kind === 'webhook') return []
  const { token, priority } = target
  return [
    ...(token === undefined ? [] : ['token=(not shown)']),
    ...(priority === undefined ? [] : [`priority=${priority}`]),
  ]
}

/** By the names and in the writing of the options that set them. */
function conditionWords({ changedShare, silentFor, ...others }: Conditions): string[] {
  return [
    ...Object.entries(others).map(([name, value]) => `${name}=${String(value)}`),
    ...(changedShare === undefined
      ? []
      : [`share=${Number((100 * changedShare).toPrecision(6))}%`]),
    ...(silentFor === undefined ? [] : [`silent-for=${duration.write(silentFor)}`]),
  ]
}

/** A delivery in one line. */
export function deliveryText(record: DeliveryRecord): string {
  const { type, page } = record.event as unknown as Notice
  const error = record.error === null ? '' : `: ${shown(record.error)}`
  const when = humanTime(record.endedAt ?? record.madeAt)
  return `${record.id}  ${when}  ${record.state}  ${type} ${shown(page.url)}  tries ${record.attempts}${error}\n`
}
