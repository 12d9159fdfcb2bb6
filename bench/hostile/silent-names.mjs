import { Resolver } from 'node:dns/promises'

/**
 * Loaded before the program (`node --import`): names are asked of the bench's own
 * name server, which never answers, as /etc/resolv.conf would have it.
 */

const server = process.env.BENCH_NAME_SERVER
/** Once each: no resolver takes other servers while it waits for one. */
const set = new WeakSet()
for (const method of ['resolve4', 'resolve6']) {
  const plain = Resolver.prototype[method]
  Resolver.prototype[method] = function (...args) {
    if (!set.has(this)) this.setServers([server])
    set.add(this)
    return plain.apply(this, args)
  }
}
