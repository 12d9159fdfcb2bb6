import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address to listen on, or a host to be asked as, is this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  if (family === 0) return /^(?:[^.]+\.)*localhost$/i.test(bare)
  return loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/** The name in a Host header, without its port; undefined where it is none. */
export function hostName(header: string | undefined): string | undefined {
  const found = /^(\[[\da-f:.]+\]|[^:[\]\s/@]+)(?::\d{1,5})?$/i.exec(header ?? '')
  return found?.[1]?.toLowerCase()
}
