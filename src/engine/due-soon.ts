import type { Seconds, UnixSeconds } from '../model/index.js'
import type { CycleParts } from './cycle-parts.js'
import type { CycleSettings } from './cycle-settings.js'

type Asks = Pick<CycleParts, 'store' | 'clock'>
type Of = Pick<Required<CycleSettings>, 'collection' | 'perHost' | 'worker'>

/** When the next page may be leased; null where none ever falls due. */
function nextDue({ store, clock }: Asks, of: Of): Promise<UnixSeconds | null> {
  const { collection, perHost, worker } = of
  return store.nextDue({ collection, now: clock.now(), perHost, worker })
}

/** How long to wait before something may be leased, where nothing is heard before; `looks` asks the store. */
export async function untilNextLook(
  parts: Asks,
  of: Of & Pick<Required<CycleSettings>, 'lookAgain'>,
  { looks, until }: { readonly looks: boolean; readonly until: UnixSeconds },
): Promise<Seconds> {
  const next = looks ? await nextDue(parts, of) : null
  const now = parts.clock.now()
  return Math.max(0.001, Math.min(next ?? Infinity, until, now + of.lookAgain) - now)
}

/** Whether anything is due now, and its host does not rest for longer than the patience. */
export async function isDueSoon(
  parts: Asks,
  of: Of,
  { patience = Infinity }: { readonly patience?: Seconds },
): Promise<boolean> {
  const now = parts.clock.now()
  const { collection } = of
  if ((await parts.store.countPages({ collection, dueBy: now })) === 0) return false
  if (patience === Infinity) return true
  const next = await nextDue(parts, of)
  return next !== null && next <= now + patience
}
