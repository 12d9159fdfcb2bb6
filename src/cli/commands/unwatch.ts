import { OptionError } from '../../model/errors.js'
import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import { noLongerWatched } from '../../planner/collection/replan.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { confirmed, type Environment, exitCode } from '../environment.js'
import { filterOptions, listed, namedPage, pageFilter } from '../page-selection.js'
import { answer } from '../text/json.js'
import { counted } from '../text/numbers.js'

const options = [
  ...filterOptions,
  ['--all', 'every page of the collection'],
  ['--keep', 'only visit them no more'],
  ['-y, --yes', 'do not ask'],
] as const

type UnwatchFlags = FlagsOf<typeof options> & CrawlerFlags

/** `revisit unwatch URL...`: stops following pages, and forgets them unless they are to be kept. */
export const unwatchCommand = storeCommand({
  description:
    'Stop following pages, and forget their visits and copies (--keep keeps them). Name the pages, or choose them by the options.',
  arguments: [['[URL...]', 'addresses of pages']],
  options,
  run: (environment, [addresses], flags) => unwatch(environment, { addresses, flags }),
})

/** Pages removed in one transaction. */
const batch = 500

async function unwatch(
  environment: Environment,
  { addresses, flags }: { addresses: readonly string[]; flags: UnwatchFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  return withStore(made, async (store) => {
    const pages = await chosen(made, { store, addresses, flags })
    const visits = pages.reduce((sum, page) => sum + page.visits, 0)
    const what = `${counted(pages.length, 'page')} with ${counted(visits, 'visit')}`
    const many = addresses.length === 0 && flags.keep !== true && pages.length > 0
    if (
      many &&
      !(await confirmed(environment, { yes: flags.yes === true, about: `This forgets ${what}` }))
    )
      return exitCode.refused
    await (flags.keep === true ? rest(store, pages) : remove(store, pages))
    const done = flags.keep === true ? 'no longer visited' : 'forgotten'
    answer(environment, {
      json: flags.json,
      record: { pages: pages.length, visits, kept: flags.keep === true },
      text: `${what} ${done}\n`,
    })
    return exitCode.done
  })
}

async function chosen(
  made: Configured,
  { store, addresses, flags }: { store: Store; addresses: readonly string[]; flags: UnwatchFlags },
): Promise<PageRecord[]> {
  const { host, group, outcome, contains, due, all } = flags
  const filtered = [host, group, outcome, contains, due, all].some((each) => each !== undefined)
  if (addresses.length > 0 === filtered)
    throw new OptionError(
      'nothing-chosen',
      'name addresses, or choose pages by --host, --group, --outcome, --contains, --due or --all, but not both',
    )
  const pages: PageRecord[] = []
  for (const address of addresses) pages.push(await namedPage(made, { store, address }))
  if (filtered)
    for await (const page of listed(store, { filter: pageFilter(made, flags) })) pages.push(page)
  return pages
}

async function remove(store: Store, pages: readonly PageRecord[]): Promise<void> {
  for (let i = 0; i < pages.length; i += batch)
    await store.removePages(pages.slice(i, i + batch).map(({ id }) => ({ id })))
}

async function rest(store: Store, pages: readonly PageRecord[]): Promise<void> {
  for (const { id } of pages)
    await store.changePage({ id }, { due: { at: 'never', reason: noLongerWatched } })
}
