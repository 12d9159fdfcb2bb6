import { groupOf } from '../../engine/index.js'
import { DAY, InputError, type RecordedChanges } from '../../model/index.js'
import { recordedFrom } from '../../simulate/index.js'
import type { World } from '../world.js'
import type { EvaluateFlags, EvaluateSettings } from './settings.js'

/** Visits of a page that are replayed. */
const mostVisits = 20_000

/** What the store's visits tell of when its pages changed, and how much that is. */
export async function ownHistories(
  world: World,
  {
    flags,
    settings,
    seed,
  }: {
    readonly flags: EvaluateFlags
    readonly settings: EvaluateSettings
    /** Of the draws that put a change into its gap. */
    readonly seed: number
  },
): Promise<RecordedChanges[]> {
  // Loaded when asked for: other evaluations need no database.
  const { configured } = await import('../crawler/configured.js')
  const { withStore } = await import('../crawler/open-store.js')
  const { listed } = await import('../crawler/pages/list-command.js')
  const made = await configured(world, crawlerFlags(flags))
  const { collection } = made.config
  const found: RecordedChanges[] = []
  const seen = { visits: 0, days: 0 }
  await withStore(
    made,
    async (store) => {
      for await (const page of listed(store, { filter: { collection } })) {
        const visits = await store.visitsOf(page, { newest: mostVisits })
        const about = { id: page.url, source: groupOf(page), seed }
        const record = recordedFrom(visits, about)
        if (record === null) continue
        found.push(record)
        seen.visits += visits.length - 1
        seen.days += (record.until - record.from) / DAY
      }
    },
    { readOnly: true },
  )
  if (found.length === 0)
    throw new InputError(
      'no-history',
      `no page of collection "${collection}" was seen twice; let revisit run for some days first`,
    )
  if (seed === settings.seeds[0])
    tellLimits(world, { perDay: seen.visits / seen.days, budgets: settings.budgets })
  return found
}

function crawlerFlags({ database, collection, config }: EvaluateFlags) {
  return {
    ...(database === undefined ? {} : { database }),
    ...(collection === undefined ? {} : { collection }),
    ...(config === undefined ? {} : { config }),
  }
}

/** A budget above what was spent asks for what nobody recorded. */
function tellLimits(
  { err }: World,
  { perDay, budgets }: { perDay: number; budgets: readonly number[] },
): void {
  const told = Number(perDay.toPrecision(2))
  err.write(
    `revisit: recorded by ${told} visits a page and day; a change is known to lie between two visits and is put there by a seeded draw\n`,
  )
  const above = budgets.filter((budget) => budget > perDay)
  if (above.length > 0)
    err.write(
      `revisit: with ${above.join(', ')} visits a page and day, more than were made, results flatter: changes between your visits were never seen\n`,
    )
}
