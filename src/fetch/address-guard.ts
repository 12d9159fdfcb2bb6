import { isIP, type LookupFunction } from 'node:net'
import { NameResolver, type Resolve, type ResolvedAddress } from './name-resolver.js'
import { isIn, isPublicAddress, networks } from './public-address.js'

export interface AddressOptions {
  /** Networks that may be visited though they are not public, such as `127.0.0.0/8`; none by default. */
  readonly allowedNetworks?: readonly string[]
  /** By c-ares, /etc/hosts and the system, see `NameResolver`, by default. */
  readonly resolve?: Resolve
}

/** Thrown inside a connection attempt: the name leads to no address that may be visited. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'

  constructor(hostname: string) {
    super(`${hostname} is a private or reserved address; allow its network to visit it`)
  }
}

/**
 * Decides which addresses may be connected to. Names are resolved here and the
 * very addresses that were checked are handed to the socket, so that a name
 * that answers differently the second time (DNS rebinding) gains nothing.
 */
export class AddressGuard {
  readonly #allowed
  readonly #resolve: Resolve

  constructor({ allowedNetworks = [], resolve = new NameResolver().resolve }: AddressOptions = {}) {
    this.#allowed = networks(allowedNetworks)
    this.#resolve = resolve
  }

  allows(address: string): boolean {
    return isPublicAddress(address) || isIn(this.#allowed, address)
  }

  /** Throws for an address written out that may not be visited; sockets look up names alone. */
  checkLiteral(hostname: string): void {
    const bare = hostname.replace(/^\[|\]$/g, '')
    if (isIP(bare) !== 0 && !this.allows(bare)) throw new AddressRefused(hostname)
  }

  /** The first address of a host that may be visited, whatever it is written as. */
  async permittedAddress(hostname: string): Promise<string> {
    const bare = hostname.replace(/^\[|\]$/g, '')
    this.checkLiteral(bare)
    return isIP(bare) === 0 ? (await this.#permitted(bare, 0))[0]!.address : bare
  }

  /** For `net.connect`: gives only addresses that may be visited. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.#permitted(hostname, Number(options.family ?? 0)).then(
      (list) => {
        if (options.all === true) callback(null, list)
        else callback(null, list[0]!.address, list[0]!.family)
      },
      (error) => callback(error, ''),
    )
  }

  async #permitted(hostname: string, family: number): Promise<Array<ResolvedAddress>> {
    const found = await this.#resolve(hostname)
    const wanted = found.filter((each) => family === 0 || each.family === family)
    const permitted = wanted.filter((each) => this.allows(each.address))
    if (wanted.length > 0 && permitted.length === 0) throw new AddressRefused(hostname)
    if (permitted.length === 0) throw noAddress(hostname)
    return permitted
  }
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}
