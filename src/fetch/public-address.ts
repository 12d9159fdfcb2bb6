import { BlockList, isIP, isIPv4 } from 'node:net'
import { OptionError } from '../model/errors.js'

/** IPv4 networks that are not the public internet. IANA IPv4 Special-Purpose Address Registry. */
const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Only 2000::/3 is public in IPv6, but for these. IANA IPv6 Special-Purpose Address Registry. */
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const refused = networks(notPublic4, notPublic6)
const global6 = networks(['2000::/3'])

/**
 * Whether an address (not a name) is on the public internet. IPv4 in the
 * clothes of IPv6 (mapped, or through NAT64) is judged as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const inside = embedded4(address) ?? address
  if (isIP(inside) === 0) return false
  if (isIPv4(inside)) return !refused.check(inside)
  return global6.check(inside, 'ipv6') && !refused.check(inside, 'ipv6')
}

/** A list of networks such as `127.0.0.0/8` or single addresses, to ask `check` of. */
export function networks(...lists: ReadonlyArray<readonly string[]>): BlockList {
  const list = new BlockList()
  for (const text of lists.flat()) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address)
    const longest = family === 6 ? 128 : 32
    const prefix = bits === undefined ? longest : Number(bits)
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > longest)
      throw new OptionError(
        'bad-network',
        `"${text}" is no network; write an address and a prefix length, such as 127.0.0.0/8`,
      )
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Whether an address is in a list; one that is IPv4 inside is looked up as that. */
export function isIn(list: BlockList, address: string): boolean {
  const inside = embedded4(address) ?? address
  return isIP(inside) !== 0 && list.check(inside, isIPv4(inside) ? 'ipv4' : 'ipv6')
}

/** The IPv4 address that ::ffff:0:0/96 (mapped) and 64:ff9b::/96 (NAT64) carry. */
function embedded4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const normal = URL.canParse(`http://[${address.split('%')[0]}]/`)
    ? new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1)
    : ''
  const found = /^(?:::ffff|64:ff9b:):([\da-f]{1,4}):([\da-f]{1,4})$/.exec(normal)
  if (found === null) return undefined
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
