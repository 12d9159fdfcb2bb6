import { movesPlan } from '../../../engine/index.js'
import { shown } from '../../../formats/index.js'
import {
  humanDuration,
  type NewPage,
  OptionError,
  type Store,
  withChosen,
} from '../../../model/index.js'
import type { Configured } from '../configured.js'
import { pageKeeper } from '../page-keeper.js'
import type { PageOptions } from './page-options.js'

/**
 * Refuses a shortest or longest gap that contradicts the other one that a page
 * watched already has. To be asked for all pages before any is changed.
 */
export async function checkLimits(
  { config: { collection } }: Configured,
  { store, urls, options }: { store: Store; urls: Iterable<string>; options: PageOptions },
): Promise<void> {
  const { shortest, longest } = options.settings ?? {}
  // Both together replace what a page has, and were held against each other when they were read.
  if ((shortest === undefined) === (longest === undefined)) return
  for (const url of urls) {
    const known = await store.getPage({ collection, url })
    if (known === null) continue
    const both = { ...known.settings, ...options.settings }
    const [least, most] = [Number(both.shortest ?? 0), Number(both.longest ?? Infinity)]
    if (least > most) throw contradiction(url, { least, most, given: shortest ?? null })
  }
}

function contradiction(
  url: string,
  { least, most, given }: { least: number; most: number; given: unknown },
): OptionError {
  const other = given === null ? '--shortest' : '--longest'
  const [shortest, longest] = [humanDuration(least), humanDuration(most)]
  return new OptionError(
    'bad-limits',
    `--shortest (${shortest}) must not be longer than --longest (${longest}): ${shown(url)} has that ${other} from before; give both`,
  )
}

/** Pages that are watched already take the options of this time too, and are planned by them; tells how many. */
export async function changePages(
  made: Configured,
  told: {
    readonly store: Store
    readonly pages: readonly NewPage[]
    readonly options: PageOptions
  },
): Promise<number> {
  const { store, pages, options } = told
  const { settings, group, importance } = options
  const { collection } = made.config
  const keeper = movesPlan(options) ? await pageKeeper(made, store) : null
  let changed = 0
  for (const { url } of pages) {
    const known = await store.getPage({ collection, url })
    if (known === null) continue
    const page = await store.changePage(known, {
      ...(group === undefined ? {} : { group }),
      ...(importance === undefined ? {} : { importance }),
      ...(settings === undefined ? {} : { settings: withChosen(known.settings, settings) }),
    })
    if (page !== null) await keeper?.planAnew(page, made.crawler.clock.now())
    changed++
  }
  return changed
}
