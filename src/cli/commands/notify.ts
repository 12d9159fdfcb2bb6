import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { ChannelRecord, DeliveryRecord } from '../../model/outbox.js'
import type { Store } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import {
  type ChannelSettings,
  type Conditions,
  checkedSettings,
  type GivenTarget,
  shownSettings,
} from '../../notify/channel.js'
import type { Notice, NoticeType } from '../../notify/notice.js'
import { type CommandGroup, type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { openNotifier } from '../live/crawler-session.js'
import { duration } from '../settings/setting-kinds.js'
import { answer, jsonArray } from '../text/json.js'
import { levelPercent, parseLevel } from '../text/numbers.js'
import { parseDuration } from '../text/time.js'

/** A channel for a program, without its secrets. */
function channelRecord(record: ChannelRecord, pending: number): object {
  const settings = shownSettings(record.settings as unknown as ChannelSettings)
  return { ...record, settings, pending }
}

/** A channel in a line or two. */
function channelText(record: ChannelRecord, pending: number): string {
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
    ...(changedShare === undefined ? [] : [`share=${levelPercent(changedShare)}`]),
    ...(silentFor === undefined ? [] : [`silent-for=${duration.write(silentFor)}`]),
  ]
}

/** A delivery in one line. */
function deliveryText(record: DeliveryRecord): string {
  const { type, page } = record.event as unknown as Notice
  const error = record.error === null ? '' : `: ${shown(record.error)}`
  const when = humanTime(record.endedAt ?? record.madeAt)
  return `${record.id}  ${when}  ${record.state}  ${type} ${shown(page.url)}  tries ${record.attempts}${error}\n`
}

const addOptions = [
  ['--name <name>', 'its name (default: the host or address)'],
  ['--secret <text>', 'signs what a webhook sends (default: one is made)'],
  ['--token <text>', 'access token of an ntfy topic'],
  ['--digest <time>', 'gather notices for so long, and send one mail'],
  ['--on <kinds>', 'changed, gone, silent, with commas between them (default: changed,gone)'],
  ['--group <name>', 'only pages of this group'],
  ['--host <host>', 'only pages of this host'],
  ['--url <pattern>', 'only these addresses; * stands for any text'],
  ['--share <share>', 'only changes of so much of what is compared, such as 5%'],
  ['--appear <text...>', 'only changes in which one of these is new in what is compared'],
  ['--disappear <text...>', 'only changes in which one of these has gone'],
  ['--silent-for <time>', 'notify also when a page has not changed for so long'],
] as const

type AddFlags = FlagsOf<typeof addOptions> & CrawlerFlags

/** Where to tell, from `webhook https://...`, `email you@example.org` or `ntfy https://ntfy.sh/topic`. */
function givenTarget(words: readonly string[], flags: AddFlags): GivenTarget {
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

function givenConditions(flags: AddFlags): Conditions {
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

const nameOfChannel = [['[NAME]', 'the name of the channel, or its id']] as const

/** `revisit notify add|list|test|on|off|remove|deliveries`: who is notified of changes. */
export const notifyCommand: CommandGroup = {
  description: 'Channels through which run and serve send notifications of changes.',
  more: `Examples:
  revisit notify add webhook https://example.org/hook --group prices
  revisit notify add email you@example.org --digest 1d     (set smtp, too)
  revisit notify add ntfy https://ntfy.sh/my-topic --appear "sold out"
  revisit notify test example.org`,
  subcommands: {
    add: {
      summary: 'notify a webhook, an e-mail address or an ntfy topic',
      command: storeCommand({
        description:
          'Notify someone of changes: webhook https://..., email you@example.org (several, too) or ntfy https://ntfy.sh/topic. Of the conditions below all that are given must hold.',
        arguments: [['<TARGET...>', 'webhook, email or ntfy, and its address']],
        options: addOptions,
        run: (environment, [words], flags) =>
          withChannels(environment, { words, flags }, (asked) => add({ ...asked, flags })),
      }),
    },
    list: {
      summary: 'the channels, what they wait for, and what fails',
      command: storeCommand({
        description: 'The channels with their conditions, what waits to be sent, and what fails.',
        run: (environment, _, flags) => withChannels(environment, { words: [], flags }, list),
      }),
    },
    test: one('send a notice to see that it arrives', test),
    on: one('notify it again', (asked) => change(asked, { enabled: true })),
    off: one('notify it of nothing for now', (asked) => change(asked, { enabled: false })),
    remove: one('stop notifying it, and forget it', remove),
    deliveries: one('the last hundred notices, of one channel or of all', deliveries),
  },
}

/** A command on one channel, which is named. */
function one(summary: string, task: (asked: Asked) => Promise<number>) {
  const command = storeCommand({
    description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    arguments: nameOfChannel,
    run: (environment, [name], flags) =>
      withChannels(environment, { words: name === undefined ? [] : [name], flags }, task),
  })
  return { summary, command }
}

interface Asked {
  readonly made: Configured
  readonly store: Store
  readonly words: readonly string[]
  readonly json: boolean
}

async function withChannels(
  environment: Environment,
  { words, flags }: { readonly words: readonly string[]; readonly flags: CrawlerFlags },
  task: (asked: Asked) => Promise<number>,
): Promise<number> {
  const made = await configured(environment, flags)
  return withStore(made, (store) => task({ made, store, words, json: flags.json === true }))
}

async function add({
  made,
  store,
  words,
  json,
  flags,
}: Asked & { readonly flags: AddFlags }): Promise<number> {
  const { collection, notifyNetworks: allowedNetworks } = made.config
  const given = { target: givenTarget(words, flags), when: givenConditions(flags) }
  const settings: ChannelSettings = checkedSettings(given, { allowedNetworks })
  const { target } = settings
  const record = await store.outbox.addChannel({
    collection,
    name: flags.name ?? (target.kind === 'email' ? target.to[0]! : new URL(target.url).host),
    settings: settings as unknown as Json,
    now: made.crawler.clock.now(),
    cursor: await store.lastVisitNumber(),
  })
  const secret = target.kind === 'webhook' ? { secret: target.secret } : {}
  const once =
    target.kind === 'webhook' && flags.secret === undefined
      ? `its secret, shown only now: ${target.secret}\n`
      : ''
  answer(made.environment, {
    json,
    record: { id: record.id, name: record.name, ...secret },
    text: `${channelText(record, 0)}${once}`,
  })
  if (target.kind === 'email' && made.config.smtp === null)
    made.environment.err.write(
      'no mail server is set, and until then nothing can be sent to it: set smtp, such as smtp://user:password@mail.example.org:587\n',
    )
  return exitCode.done
}

async function list({ made, store, json }: Asked): Promise<number> {
  const { out } = made.environment
  const records = await store.outbox.channels(made.config.collection)
  const pending = await Promise.all(records.map(({ id }) => store.outbox.countPending(id)))
  if (json) out.write(jsonArray(records.map((each, i) => channelRecord(each, pending[i]!))))
  else if (records.length === 0)
    out.write('no channels; revisit notify add webhook https://... begins with one\n')
  else for (const [i, record] of records.entries()) out.write(channelText(record, pending[i]!))
  return exitCode.done
}

async function test(asked: Asked): Promise<number> {
  const { made, store, json } = asked
  const { id, name } = await named(asked)
  const notifier = openNotifier(made, store)
  try {
    const result = await notifier.test(id)
    const text =
      result?.sent === true ? `${name}: sent\n` : `${name}: ${result?.error ?? 'it is no more'}\n`
    answer(made.environment, { json, record: result, text })
    return result?.sent === true ? exitCode.done : exitCode.environment
  } finally {
    await notifier.close()
  }
}

async function change(asked: Asked, to: { readonly enabled: boolean }): Promise<number> {
  const { made, store, json } = asked
  const { id } = await named(asked)
  const record = await store.outbox.changeChannel(id, to)
  if (record === null) return exitCode.done
  const pending = await store.outbox.countPending(id)
  const text = channelText(record, pending)
  answer(made.environment, { json, record: channelRecord(record, pending), text })
  return exitCode.done
}

async function remove(asked: Asked): Promise<number> {
  const { made, store, json } = asked
  const { id, name } = await named(asked)
  await store.outbox.removeChannel(id)
  answer(made.environment, { json, record: { removed: name }, text: `${name} removed\n` })
  return exitCode.done
}

async function deliveries(asked: Asked): Promise<number> {
  const { made, store, words, json } = asked
  const { collection } = made.config
  const channel = words.length === 0 ? {} : { channel: (await named(asked)).id }
  const found = await store.outbox.deliveries({ collection, ...channel, limit: 100 })
  const text = found.length === 0 ? 'no deliveries yet\n' : found.map(deliveryText).join('')
  made.environment.out.write(json ? jsonArray(found) : text)
  return exitCode.done
}

/** The channel with this name or id. */
async function named({ made, store, words }: Asked): Promise<ChannelRecord> {
  const all = await store.outbox.channels(made.config.collection)
  const found = all.find(({ name, id }) => name === words[0] || id === words[0])
  if (found !== undefined && words.length === 1) return found
  const wrong = words.length === 1 ? `there is no channel ${shown(words[0]!)}` : 'name one channel'
  throw new OptionError('no-channel', `${wrong}; revisit notify list shows those that there are`)
}
