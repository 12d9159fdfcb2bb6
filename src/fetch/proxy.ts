import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { buildConnector } from 'undici'
import { OptionError } from '../model/errors.js'
import type { Seconds } from '../model/units.js'
import type { AddressGuard } from './address-guard.js'

/** A way to other servers: http, https or socks5. */
export interface ProxyAddress {
  readonly kind: 'http' | 'https' | 'socks5'
  readonly host: string
  readonly port: number
  readonly user: string | null
  readonly password: string | null
}

const ports = { http: 8080, https: 443, socks5: 1080 } as const

/** What an address of a proxy may be, in words. */
export const proxyForm =
  'an address such as http://user:password@proxy.example.org:3128 or socks5://host:1080'

/** Reads the address of a proxy; throws, without its password, where it is none. */
export function proxyAddress(text: string): ProxyAddress {
  if (text.includes('(not shown)'))
    throw new OptionError('bad-proxy', 'write the password of the proxy again; it is not shown')
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  const kind = url === null ? undefined : /^(https?|socks5)h?:$/.exec(url.protocol)?.[1]
  if (url === null || kind === undefined || url.hostname === '' || url.pathname.length > 1)
    throw new OptionError('bad-proxy', `a proxy is ${proxyForm}`)
  const { username, password } = url
  const way = kind as ProxyAddress['kind']
  return {
    kind: way,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? ports[way] : Number(url.port),
    user: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
  }
}

/** The same without its password, for people. */
export function shownProxy(text: string): string {
  const { kind, host, port, user } = proxyAddress(text)
  const named = isIP(host) === 6 ? `[${host}]` : host
  return `${kind}://${user === null ? '' : `${user}:(not shown)@`}${named}:${port}`
}

interface ProxyTerms {
  readonly proxy: ProxyAddress
  /** Decides where visits may go. */
  readonly guard: AddressGuard
  /** Whether the proxy itself is held to the guard, since others than the operator may name it. */
  readonly isGuarded: boolean
  readonly connectTime: Seconds
}

/**
 * Connections through a proxy. The names of servers are resolved here, and the
 * proxy is given the very address that the guard permitted: were it given the
 * name, it would find an address of its own, perhaps a private one behind it.
 * Pages over plain http go through a tunnel, too, for the same reason.
 */
export function proxyConnector(terms: ProxyTerms): buildConnector.connector {
  const timeout = terms.connectTime * 1000
  const secure = buildConnector({ timeout })
  return (options, callback) => {
    const { hostname, protocol } = options
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80)
    tunnel({ hostname, port }, terms).then(
      (socket) => {
        if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback)
        else callback(null, socket.setNoDelay(true))
      },
      (error: Error) => callback(error, null),
    )
  }
}

async function tunnel(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  { proxy, guard, isGuarded, connectTime }: ProxyTerms,
): Promise<Socket> {
  const address = await guard.permittedAddress(hostname)
  const host = isGuarded ? await guard.permittedAddress(proxy.host) : proxy.host
  const destination = { host: address, port }
  return proxy.kind === 'socks5'
    ? bySocks(destination, { proxy: { ...proxy, host }, connectTime })
    : byConnect(destination, { proxy, host, connectTime })
}

interface Destination {
  readonly host: string
  readonly port: number
}

async function bySocks(
  destination: Destination,
  { proxy, connectTime }: { readonly proxy: ProxyAddress; readonly connectTime: Seconds },
): Promise<Socket> {
  const { SocksClient } = await import('socks')
  const { host, port, user, password } = proxy
  try {
    const { socket } = await SocksClient.createConnection({
      command: 'connect',
      destination,
      timeout: connectTime * 1000,
      proxy: {
        ...(isIP(host) === 0 ? { host } : { ipaddress: host }),
        port,
        type: 5,
        ...(user === null ? {} : { userId: user, password: password ?? '' }),
      },
    })
    return socket
  } catch (cause) {
    // Its error holds the options, password and all.
    throw proxyFault(cause instanceof Error ? cause.message : 'no connection')
  }
}

/** RFC 9110, 9.3.6. */
function byConnect(
  { host: address, port }: Destination,
  {
    proxy,
    host,
    connectTime,
  }: { readonly proxy: ProxyAddress; readonly host: string; readonly connectTime: Seconds },
): Promise<Socket> {
  const at = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  const { user, password } = proxy
  const login =
    user === null
      ? ''
      : `proxy-authorization: Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}\r\n`
  return new Promise((resolve, reject) => {
    const socket =
      proxy.kind === 'https'
        ? connectTls({
            host,
            port: proxy.port,
            ...(isIP(proxy.host) === 0 ? { servername: proxy.host } : {}),
          })
        : connectTcp({ host, port: proxy.port })
    const fail = (why: string) => {
      socket.destroy()
      reject(proxyFault(why))
    }
    let answer = ''
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      const end = answer.indexOf('\r\n\r\n')
      if (end < 0) {
        if (answer.length > longestAnswer) fail('its answer is too long')
        return
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]
      if (status !== '200') return fail(`it answered ${status ?? 'what is no HTTP'}`)
      settle()
      const rest = Buffer.from(answer.slice(end + 4), 'latin1')
      if (rest.length > 0) socket.unshift(rest)
      resolve(socket)
    }
    const onError = (error: Error) => fail(error.message || 'no connection')
    const onClose = () => fail('it closed the connection')
    const onTime = () => fail(`it did not connect within ${connectTime} s`)
    const settle = () => {
      socket.setTimeout(0)
      socket.off('data', onData).off('error', onError).off('close', onClose).off('timeout', onTime)
      socket.pause()
    }
    socket.setTimeout(connectTime * 1000, onTime)
    socket.on('data', onData).on('error', onError).on('close', onClose)
    socket.once(proxy.kind === 'https' ? 'secureConnect' : 'connect', () =>
      socket.write(`CONNECT ${at} HTTP/1.1\r\nhost: ${at}\r\n${login}\r\n`),
    )
  })
}

const longestAnswer = 16 * 1024

/** A connection that could not be made, as others are: the visit fails and is tried again. */
function proxyFault(why: string): Error {
  return Object.assign(new Error(`the proxy made no connection: ${why.slice(0, 200)}`), {
    code: 'ECONNREFUSED',
  })
}
