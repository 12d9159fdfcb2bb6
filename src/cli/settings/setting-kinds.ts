import { proxyAddress, proxyForm, shownProxy } from '../../fetch/proxy.js'
import { networks } from '../../fetch/public-address.js'
import { userAgent } from '../../formats/user-agent.js'
import { DAY, HOUR, MINUTE, type Seconds } from '../../model/units.js'
import type { Budget } from '../../planner/collection/budget.js'
import { policyOf } from '../../planner/registry.js'
import { type Objective, objectiveNamed, objectives } from '../../planner/value/objective.js'
import { parseAllowedHours } from '../../policies/allowed-hours.js'
import { isServerAddress, serverAddress } from '../../store/postgres/server/address.js'
import { shareOf } from '../text/numbers.js'
import { durationOf } from '../text/time.js'

/** How the values of a setting are written: in YAML, in the environment, on the command line. */
export interface Kind<T> {
  /** What it takes, after "takes": `a duration such as 5s`. */
  readonly takes: string
  /** The value, or undefined where the text or YAML value is none. May throw to say more. */
  read(raw: unknown): T | undefined
  /** Part of it is not shown to anyone. */
  readonly secret?: boolean
  /** As one would write it. */
  write(value: T): string
}

/** A kind that may also be left unset, written `none`. */
export function orNone<T>(kind: Kind<T>): Kind<T | null> {
  return {
    takes: `${kind.takes}, or none`,
    secret: kind.secret === true,
    read: (raw) => (raw === null || raw === 'none' || raw === '' ? null : kind.read(raw)),
    write: (value) => (value === null ? 'none' : kind.write(value)),
  }
}

export const text: Kind<string> = {
  takes: 'a text',
  read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined),
  write: (value) => value,
}

/** Where the store lies. */
export const database: Kind<string> = {
  takes: 'a file, or the address of a PostgreSQL database: postgres://user@host/name',
  secret: true,
  read(raw) {
    const value = text.read(raw)
    // Throws where it cannot be, without the password that it may hold.
    if (value !== undefined && isServerAddress(value)) serverAddress(value)
    return value
  },
  write: (value) => (isServerAddress(value) ? serverAddress(value).name.text : value),
}

export const duration: Kind<Seconds> = {
  takes: 'a duration such as 200ms, 5s, 10min, 6h or 30d',
  read(raw) {
    if (typeof raw === 'number') return raw >= 0 && raw < Infinity ? raw : undefined
    if (typeof raw !== 'string') return undefined
    if (/^\s*\d+(\.\d+)?\s*$/.test(raw)) return Number(raw)
    return /^\s*0+(\.0+)?\s*[a-z]+\s*$/i.test(raw) ? 0 : durationOf(raw)
  },
  write: (value) => (value === 0 ? '0' : exactDuration(value)),
}

/** Exact, where the words of a person would round. */
function exactDuration(value: Seconds): string {
  const unit = durationUnits.find(([size]) => value % size === 0)
  return unit === undefined ? `${value}s` : `${value / unit[0]}${unit[1]}`
}

const durationUnits = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

const sizes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

export const bytes: Kind<number> = {
  takes: 'a size such as 64KiB or 10MB',
  read(raw) {
    const found = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(raw))
    const size = sizes[found?.[2]?.toLowerCase() ?? '-']
    return size === undefined ? undefined : Math.round(Number(found![1]) * size)
  },
  write(value) {
    const unit = (['GiB', 'MiB', 'KiB'] as const).find(
      (each) => value > 0 && value % sizes[each.toLowerCase()]! === 0,
    )
    return unit === undefined ? `${value}B` : `${value / sizes[unit.toLowerCase()]!}${unit}`
  },
}

/** A whole number from `least` on. */
export function count(least: number): Kind<number> {
  return {
    takes: `a whole number from ${least}`,
    read(raw) {
      const value = /^\s*\d{1,15}\s*$/.test(String(raw)) ? Number(raw) : Number.NaN
      return value >= least ? value : undefined
    },
    write: String,
  }
}

export const share: Kind<number> = {
  takes: 'a share from 0 to 1, such as 0.05 or 5%',
  read(raw) {
    const value = shareOf(String(raw))
    return value >= 0 && value <= 1 ? value : undefined
  },
  write: String,
}

export const yesNo: Kind<boolean> = {
  takes: 'true or false',
  read(raw) {
    if (/^(true|yes|on|1)$/i.test(String(raw))) return true
    return /^(false|no|off|0)$/i.test(String(raw)) ? false : undefined
  },
  write: String,
}

/** A thing that is followed, done or shown, or not. */
export const onOff: Kind<boolean> = {
  takes: 'on or off',
  read: yesNo.read,
  write: (value) => (value ? 'on' : 'off'),
}

/** Networks as a YAML list, or with commas between them. */
export const networkList: Kind<readonly string[]> = {
  takes: 'networks such as 127.0.0.0/8, with commas between them, or none',
  read(raw) {
    if (raw === null || raw === 'none' || raw === '') return []
    const parts = Array.isArray(raw) ? raw.map(String) : String(raw).split(',')
    const list = parts.map((part) => part.trim())
    networks(list)
    return list
  },
  write: (value) => (value.length === 0 ? 'none' : value.join(', ')),
}

/** Names as a YAML list, or with commas between them. */
function namesLike(form: RegExp, takes: string): Kind<readonly string[]> {
  return {
    takes,
    read(raw) {
      if (raw === null || raw === 'none' || raw === '') return []
      const parts = Array.isArray(raw) ? raw.map(String) : String(raw).split(',')
      const names = parts.map((part) => part.trim().toLowerCase())
      return names.every((name) => form.test(name)) ? names : undefined
    },
    write: (value) => (value.length === 0 ? 'none' : value.join(', ')),
  }
}

export const nameList = namesLike(
  /^[a-z\d]([a-z\d.-]*[a-z\d])?$/,
  'names of hosts, with commas between them, or none',
)

/** Hosts as pages have them: with the port where it is not the usual one. */
export const hostList = namesLike(
  /^([a-z\d]([a-z\d.-]*[a-z\d])?|\[[a-f\d:.]+\])(:\d{1,5})?$/,
  'hosts such as example.org or localhost:8080, with commas between them, or none',
)

export const port: Kind<number> = {
  takes: 'a port from 0 to 65535',
  read(raw) {
    const value = count(0).read(raw)
    return value !== undefined && value <= 65_535 ? value : undefined
  },
  write: String,
}

const levels = ['error', 'warn', 'info', 'debug'] as const

export const logLevel: Kind<(typeof levels)[number]> = {
  takes: 'error, warn, info or debug',
  read: (raw) => levels.find((each) => each === String(raw).toLowerCase()),
  write: String,
}

/** Stands before the links in messages: services refuse a message whose link is none. */
export const webAddress: Kind<string> = {
  takes: 'a web address such as https://revisit.example.org',
  read(raw) {
    const value = String(raw).trim()
    return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined
  },
  write: String,
}

/** Written without its password: it is shown to whoever asks for the settings. */
export const smtpAddress: Kind<string> = {
  takes: 'an address such as smtp://user:password@mail.example.org:587',
  secret: true,
  read(raw) {
    const value = String(raw).trim()
    const url = URL.canParse(value) ? new URL(value) : null
    return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? value : undefined
  },
  write(value) {
    const { protocol, host, username } = new URL(value)
    return `${protocol}//${username === '' ? '' : `${username}:(not shown)@`}${host}`
  },
}

/** Refuses what cannot stand in a User-Agent. */
export const contact: Kind<string> = {
  takes: 'a web or e-mail address at which you can be reached',
  read(raw) {
    const value = String(raw).trim()
    userAgent({ contact: value, version: '0' })
    return value
  },
  write: String,
}

/** Refuses what cannot stand in a User-Agent. */
export const product: Kind<string> = {
  takes: 'a name and perhaps a version, such as MyArchive/1.0',
  read(raw) {
    const value = String(raw).trim()
    userAgent({ contact: 'a@b', version: '0', product: value })
    return value
  },
  write: String,
}

/** Written without its password: it is shown to whoever asks for the settings. */
export const proxy: Kind<string> = {
  takes: proxyForm,
  secret: true,
  read(raw) {
    const value = String(raw).trim()
    proxyAddress(value)
    return value
  },
  write: shownProxy,
}

export const policy: Kind<string> = {
  takes: 'a policy such as auto, malcolm-armitage or fixed:gap=1d',
  read(raw) {
    policyOf(String(raw))
    return String(raw)
  },
  write: String,
}

export const objective: Kind<Objective> = {
  takes: `one of ${objectives.join(', ')}`,
  read: (raw) => (typeof raw === 'string' ? objectiveNamed(raw.trim()) : undefined),
  write: String,
}

/** Objectives by group as a YAML map, or as `group=objective` with commas between them. */
export const objectivesByGroup: Kind<Readonly<Record<string, Objective>>> = {
  takes: 'groups with their objectives such as prices=delay, with commas between them, or none',
  read(raw) {
    if (raw === null || raw === 'none' || raw === '') return {}
    const pairs =
      typeof raw === 'object' && !Array.isArray(raw) ? Object.entries(raw) : written(raw)
    if (pairs.some(([group, named]) => group === '' || typeof named !== 'string')) return undefined
    return Object.fromEntries(pairs.map(([group, named]) => [group, objectiveNamed(String(named))]))
  },
  write(value) {
    const pairs = Object.entries(value).map((each) => each.join('='))
    return pairs.length === 0 ? 'none' : pairs.join(', ')
  },
}

/** A group's name may hold the sign, an objective's does not. */
function written(raw: unknown): [string, string | undefined][] {
  const parts = Array.isArray(raw) ? raw.map(String) : String(raw).split(',')
  return parts.map((part) => {
    const at = part.lastIndexOf('=')
    return at < 0 ? [part.trim(), undefined] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
  })
}

/** A number of requests: of the whole collection a day, or a page and day. */
export const budget: Kind<NonNullable<Budget>> = {
  takes: 'requests a day in all, such as 5000, or a page and day, such as 0.5/page',
  read(raw) {
    const found = /^\s*(\d+(?:\.\d+)?)\s*(\/\s*(page|day))?\s*$/i.exec(String(raw))
    const value = Number(found?.[1])
    if (!(value > 0 && value < 1e12)) return undefined
    return found![3]?.toLowerCase() === 'page' ? { perPage: value } : { perDay: value }
  },
  write: (value) => ('perPage' in value ? `${value.perPage}/page` : `${value.perDay}/day`),
}

export const hours: Kind<string> = {
  takes: 'hours and days in UTC such as "mon-fri 8-18"',
  read(raw) {
    parseAllowedHours(String(raw))
    return String(raw)
  },
  write: String,
}
