import { buffer } from 'node:stream/consumers'
import { groupOf, lessonSetting, priorSetting, storedPrior } from '../../../engine/index.js'
import {
  type AutoPrior,
  defaultLaw,
  defaultPrior,
  fitAutoPrior,
  type PriorPage,
  parseAutoPrior,
} from '../../../estimate/index.js'
import { historyOf, InputError, type Json, OptionError, type Store } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import { type Configured, configured } from '../configured.js'
import { withStore } from '../open-store.js'
import { listed } from '../pages/list-command.js'
import { loggedPages } from './logged-pages.js'
import type { PriorFlags } from './prior-flags.js'
import { priorText } from './text.js'

const tasks = ['show', 'fit', 'export', 'import'] as const
/** Pages and visits of each that are learned from: some seconds' work. */
const mostPages = 4_000
const mostVisits = 200

/** `revisit prior show|fit|export|import`: what is thought of pages before they are looked at. */
export async function priorCommand(
  world: World,
  { task, file, flags }: { task: string; file: string | undefined; flags: PriorFlags },
): Promise<number> {
  const found = tasks.find((each) => each === task)
  if (found === undefined)
    throw new OptionError('bad-task', `revisit prior takes ${tasks.join(', ')}; got "${task}"`)
  const made = await configured(world, flags)
  const options = { readOnly: found === 'show' || found === 'export' }
  return withStore(made, (store) => todo[found](made, { store, file, flags }), options)
}

interface Asked {
  readonly store: Store
  readonly file: string | undefined
  readonly flags: PriorFlags
}

const todo = { show, fit, export: exported, import: imported }

async function show(made: Configured, { store, flags }: Asked): Promise<number> {
  const prior = await currentPrior(made, store)
  const { out } = made.world
  if (flags.json === true) out.write(`${JSON.stringify(prior)}\n`)
  else out.write(priorText(prior, { out, group: flags.group }))
  return exitCode.done
}

async function exported(made: Configured, { store, file, flags }: Asked): Promise<number> {
  const { world } = made
  const prior = await currentPrior(made, store)
  const text = `${JSON.stringify(prior)}\n`
  if (file === undefined || file === '-') {
    world.out.write(text)
    return exitCode.done
  }
  await world.save(file, text)
  const groups = Object.keys(prior.groups).length
  const told = { file, format: prior.format, groups, bytes: Buffer.byteLength(text) }
  if (flags.json === true) world.out.write(`${JSON.stringify(told)}\n`)
  return exitCode.done
}

async function imported(made: Configured, asked: Asked): Promise<number> {
  const { file } = asked
  if (file === undefined)
    throw new OptionError('missing-file', 'name the file: revisit prior import prior.json')
  const { chunks } = await made.world.open(file)
  const text = (await buffer(chunks)).toString('utf8')
  return keep(made, { ...asked, prior: parsed(text, file) })
}

function parsed(text: string, file: string): AutoPrior {
  try {
    return parseAutoPrior(text)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

/** From the visits of the store, or of a log. */
async function fit(made: Configured, asked: Asked): Promise<number> {
  const { file, flags, store } = asked
  const pages =
    file === undefined ? await storedPages(made, store) : await loggedPages(made, { file, flags })
  if (pages.length === 0)
    throw new InputError('no-history', 'no page was seen twice, so there is nothing to learn from')
  const observations = pages.reduce((sum, { history }) => sum + history.observations.length, 0)
  const from = file ?? `collection "${made.config.collection}"`
  const how = `learned by EM from ${pages.length} pages of ${from}, ${observations} comparisons`
  return keep(made, { ...asked, prior: fitAutoPrior(pages, { how, towards: defaultLaw }) })
}

async function storedPages(made: Configured, store: Store): Promise<PriorPage[]> {
  const { collection } = made.config
  const stride = Math.max(1, Math.ceil((await store.countPages({ collection })) / mostPages))
  const pages: PriorPage[] = []
  let met = 0
  for await (const page of listed(store, { filter: { collection } })) {
    if (page.visits < 2 || met++ % stride !== 0) continue
    const history = historyOf(await store.visitsOf(page, { newest: mostVisits }))
    if (history !== null && history.observations.length > 0)
      pages.push({ group: groupOf(page), history })
  }
  return pages
}

async function keep(
  { world, config }: Configured,
  { store, prior, flags }: Asked & { prior: AutoPrior },
): Promise<number> {
  await store.putSetting(config.collection, priorSetting, prior as unknown as Json)
  // Otherwise the next run would learn its own at once, in the place of this one.
  await store.putSetting(config.collection, lessonSetting, await comparisons(store, config))
  if (flags.json === true) world.out.write(`${JSON.stringify(prior)}\n`)
  else
    world.out.write(
      `the prior of collection "${config.collection}" is now one ${prior.how}; ${counted(Object.keys(prior.groups).length, 'group')} of its own\n`,
    )
  return exitCode.done
}

async function comparisons(store: Store, { collection }: Configured['config']): Promise<number> {
  let total = 0
  for await (const { visits } of listed(store, { filter: { collection } }))
    total += Math.max(0, visits - 1)
  return total
}

/** What is stored, or what ships. */
async function currentPrior({ config }: Configured, store: Store): Promise<AutoPrior> {
  const stored = storedPrior(await store.getSetting(config.collection, priorSetting))
  return stored ?? shipped
}

const shipped: AutoPrior = {
  format: 'revisit-auto-prior',
  version: 1,
  how: `shipped with Revisit, learned from ${defaultPrior.pages} recorded histories`,
  whole: defaultPrior,
  groups: {},
}
