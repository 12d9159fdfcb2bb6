import type { Store } from '../model/index.js'

/** The store as one loop is to see it: some of its answers are others, the rest are its own. */
export function storeSeen(store: Store, own: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
