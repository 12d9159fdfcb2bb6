import { shown } from '../../formats/index.js'
import { type ChannelRecord, type FileStore, type Json, OptionError } from '../../model/index.js'
import { type ChannelSettings, checkedSettings } from '../../notify/index.js'
import { type Configured, configured } from '../crawler/configured.js'
import { withStore } from '../crawler/open-store.js'
import { exitCode } from '../exit-code.js'
import { jsonArray } from '../text/json-array.js'
import type { World } from '../world.js'
import { channelRecord, channelText, deliveryText } from './channel-text.js'
import { givenConditions, givenTarget, type NotifyFlags } from './given-channel.js'
import { openNotifier } from './open-notifier.js'

interface Asked {
  readonly made: Configured
  readonly store: FileStore
  readonly words: readonly string[]
  readonly flags: NotifyFlags
}

/** `revisit notify add|list|test|on|off|remove|deliveries`: who is told of changes. */
export async function notifyCommand(
  world: World,
  { what, words, flags }: { what: string; words: readonly string[]; flags: NotifyFlags },
): Promise<number> {
  const made = await configured(world, flags)
  const task = tasks[what]
  if (task === undefined)
    throw new OptionError(
      'bad-option',
      `revisit notify takes ${Object.keys(tasks).join(', ')}; got ${JSON.stringify(what)}`,
    )
  return withStore(made, (store) => task({ made, store, words, flags }))
}

const tasks: Readonly<Record<string, (asked: Asked) => Promise<number>>> = {
  add,
  list,
  test,
  on: (asked) => change(asked, { enabled: true }),
  off: (asked) => change(asked, { enabled: false }),
  remove,
  deliveries,
}

async function add({ made, store, words, flags }: Asked): Promise<number> {
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
  const { out } = made.world
  const secret = target.kind === 'webhook' ? { secret: target.secret } : {}
  if (flags.json === true)
    out.write(`${JSON.stringify({ id: record.id, name: record.name, ...secret })}\n`)
  else {
    out.write(channelText(record, 0))
    if (target.kind === 'webhook' && flags.secret === undefined)
      out.write(`its secret, told only now: ${target.secret}\n`)
  }
  if (target.kind === 'email' && made.config.smtp === null)
    made.world.err.write(
      'no mail server is set, and until then nothing can be sent to it: set smtp, such as smtp://user:password@mail.example.org:587\n',
    )
  return exitCode.done
}

async function list({ made, store, flags }: Asked): Promise<number> {
  const { out } = made.world
  const records = await store.outbox.channels(made.config.collection)
  const pending = await Promise.all(records.map(({ id }) => store.outbox.countPending(id)))
  if (flags.json === true)
    out.write(jsonArray(records.map((each, i) => channelRecord(each, pending[i]!))))
  else if (records.length === 0)
    out.write('no channels; revisit notify add webhook https://... begins with one\n')
  else for (const [i, record] of records.entries()) out.write(channelText(record, pending[i]!))
  return exitCode.done
}

async function test(asked: Asked): Promise<number> {
  const { made, store, flags } = asked
  const { id, name } = await named(asked)
  const notifier = openNotifier(made, store)
  try {
    const result = await notifier.test(id)
    const text =
      result?.sent === true ? `${name}: sent\n` : `${name}: ${result?.error ?? 'it is no more'}\n`
    made.world.out.write(flags.json === true ? `${JSON.stringify(result)}\n` : text)
    return result?.sent === true ? exitCode.done : exitCode.environment
  } finally {
    await notifier.close()
  }
}

async function change(asked: Asked, to: { readonly enabled: boolean }): Promise<number> {
  const { id } = await named(asked)
  const record = await asked.store.outbox.changeChannel(id, to)
  if (record !== null) {
    const pending = await asked.store.outbox.countPending(id)
    asked.made.world.out.write(
      asked.flags.json === true
        ? `${JSON.stringify(channelRecord(record, pending))}\n`
        : channelText(record, pending),
    )
  }
  return exitCode.done
}

async function remove(asked: Asked): Promise<number> {
  const { id, name } = await named(asked)
  await asked.store.outbox.removeChannel(id)
  asked.made.world.out.write(
    asked.flags.json === true ? `${JSON.stringify({ removed: name })}\n` : `${name} removed\n`,
  )
  return exitCode.done
}

async function deliveries(asked: Asked): Promise<number> {
  const { made, store, words, flags } = asked
  const { collection } = made.config
  const channel = words.length === 0 ? {} : { channel: (await named(asked)).id }
  const found = await store.outbox.deliveries({ collection, ...channel, limit: 100 })
  const text = found.length === 0 ? 'no deliveries yet\n' : found.map(deliveryText).join('')
  made.world.out.write(flags.json === true ? jsonArray(found) : text)
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
