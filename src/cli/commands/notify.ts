import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { given } from '../../model/given.js'
import type { ChannelRecord, DeliveryRecord } from '../../model/outbox.js'
import type { Store } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import {
  type ChannelSettings,
  type Conditions,
  checkedSettings,
  shownSettings,
} from '../../notify/channel.js'
import { templateVariables } from '../../notify/message.js'
import type { Notice } from '../../notify/notice.js'
import {
  type AnyKind,
  type ChannelTarget,
  channelKinds,
  kindNamed,
  leadsTo,
  shownTarget,
} from '../../notify/send/kinds.js'
import type { Timing } from '../../notify/timing.js'
import { type CommandGroup, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { openNotifier } from '../live/crawler-session.js'
import { duration } from '../settings/setting-kinds.js'
import { answer, jsonArray } from '../text/json.js'
import { levelPercent } from '../text/numbers.js'
import {
  type AddFlags,
  addOptions,
  givenConditions,
  givenTarget,
  givenTiming,
} from './notify-options.js'

/** A channel for a program, without its secrets. */
function channelRecord(record: ChannelRecord, pending: number): object {
  const settings = shownSettings(record.settings as unknown as ChannelSettings)
  return { ...record, settings, pending }
}

/** A channel in a line or two. */
function channelText(record: ChannelRecord, pending: number): string {
  const { target, when, timing = {}, message } = record.settings as unknown as ChannelSettings
  const words = [...targetWords(target), ...conditionWords(when), ...timingWords(timing)]
  const own = message === undefined ? '' : ' own template'
  const choices = words.map((each) => ` ${each}`).join('')
  const state = record.enabled ? '' : ', off'
  const head = `${shown(record.name)}: ${target.kind} ${shown(leadsTo(target))}${shown(choices)}${own}${state}, ${pending} waiting\n`
  if (record.error === null) return head
  const rest = record.restsUntil === null ? '' : `, tried again ${humanTime(record.restsUntil)}`
  return `${head}  failing since ${humanTime(record.failingSince!)}: ${shown(record.error)}${rest}\n`
}

/** What was chosen for the way there; a secret is named, never shown. */
function targetWords(target: ChannelTarget): string[] {
  const { fields } = kindNamed(target.kind)
  return Object.entries(shownTarget(target)).flatMap(([name, value]) => {
    const field = fields[name]
    if (field?.optional !== true || (name === 'secret' && target.kind === 'webhook')) return []
    if (name === 'digest') return [`digest=${duration.write(Number(value))}`]
    return [`${name}=${field.type === 'long-text' ? 'own' : String(value)}`]
  })
}

function timingWords({ digest, ...times }: Timing): string[] {
  const gathered = typeof digest === 'number' ? duration.write(digest) : digest
  return [
    ...(gathered === undefined ? [] : [`digest=${gathered}`]),
    ...Object.entries(times).map(([name, value]) => `${name}=${String(value)}`),
  ]
}

/** By the names and in the writing of the options that set them. */
function conditionWords({ changedShare, silentFor, price = {}, ...others }: Conditions): string[] {
  return [
    ...Object.entries(price).map(([name, value]) => `price-${name}=${String(value)}`),
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

const nameOfChannel = [['[NAME]', 'the name of the channel, or its id']] as const

/** `revisit notify add|list|test|on|off|remove|deliveries`: who is notified of changes. */
export const notifyCommand: CommandGroup = {
  description: 'Channels through which run and serve send notifications of changes.',
  more: `Examples:
  revisit notify add webhook https://example.org/hook --group prices
  revisit notify add email you@example.org --digest 1d     (set smtp, too)
  revisit notify add ntfy https://ntfy.sh/my-topic --appear "sold out"
  revisit notify add slack https://hooks.slack.com/services/... --quiet 22:00-07:00
  revisit notify add tgram://TOKEN/CHAT --digest day
  revisit notify test example.org`,
  subcommands: {
    add: {
      summary: 'notify somebody: by mail, chat, push or webhook',
      command: storeCommand({
        description:
          'Notify someone of changes: a kind and its address, as slack https://hooks.slack.com/... or email you@example.org (several, too), or an address in the form of Apprise, as discord://id/token. revisit notify kinds lists the kinds and their settings. Of the conditions below all that are given must hold.',
        arguments: [['<TARGET...>', 'a kind and its address, or an address such as tgram://...']],
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
    kinds: {
      summary: 'the kinds of channels with their settings, and what a template can name',
      command: storeCommand({
        description: 'The kinds of channels with their settings, and what a template can name.',
        run: (environment) => kinds(environment),
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
  const asked = givenTarget(words, flags)
  const { title, body } = flags
  const settings = checkedSettings(
    {
      target: asked,
      when: givenConditions(flags),
      message: given({ title, body }),
      timing: givenTiming(asked.kind, flags),
    },
    { allowedNetworks },
  )
  const { target } = settings
  const record = await store.outbox.addChannel({
    collection,
    name: flags.name ?? nameOf(target),
    settings: settings as unknown as Json,
    now: made.crawler.clock.now(),
    cursor: await store.lastVisitNumber(),
  })
  const secret = target.kind === 'webhook' ? given({ secret: target.secret }) : {}
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

/** What a channel is called where nobody says: the first address, or the host. */
function nameOf(target: ChannelTarget): string {
  if (target.kind === 'email') return target.to[0]!
  if (target.kind === 'webhook' || target.kind === 'ntfy') return new URL(target.url).host
  return `${target.kind} ${leadsTo(target)}`
}

async function kinds({ out }: Environment): Promise<number> {
  for (const { kind, label, help, example, fields } of channelKinds as readonly AnyKind[]) {
    out.write(`${kind}: ${label}. ${help}\n  ${example}\n`)
    for (const [name, { label: what, help: how, optional }] of Object.entries(fields))
      out.write(
        `  ${name}${optional === true ? '' : ' (needed)'}: ${what}${how === undefined ? '' : `; ${how}`}\n`,
      )
  }
  out.write('\ntemplates (--title, --body, --set template=...) can name:\n')
  for (const [name, means] of Object.entries(templateVariables))
    out.write(`  {{${name}}}: ${means}\n`)
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
