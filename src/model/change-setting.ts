import type { Json } from './json.js'
import type { Store } from './store.js'

/**
 * Changes a setting that other processes change too: what was read is changed
 * and written only where it is still so, and otherwise read and changed again.
 * Undefined leaves it as it is. What it was before the change that was written.
 */
export async function changeSetting(
  store: Pick<Store, 'getSetting' | 'swapSetting'>,
  { collection, name }: { readonly collection: string; readonly name: string },
  change: (before: Json | undefined) => Json | undefined,
): Promise<Json | undefined> {
  for (;;) {
    const from = await store.getSetting(collection, name)
    const to = change(from)
    if (to === undefined || (await store.swapSetting(collection, name, { from, to }))) return from
  }
}
