import type { UnixSeconds } from '../../model/units.js'
import { hostKey, type KeptPage, type MemoryState } from './state.js'

export interface Asked {
  readonly collection: string
  readonly now: UnixSeconds
  readonly perHost: number
  /** Who asks; somebody who holds nothing where left out. */
  readonly worker?: string
  readonly ahead?: number
  /** Only pages of this host. */
  readonly host?: string
}

/** Pages that may be leased now, in order; by looking at all of them. */
export function duePages(state: MemoryState, asked: Asked): KeptPage[] {
  const hosts = [...pagesByHost(state, asked.collection)]
    .filter(([host]) => asked.host === undefined || host === asked.host)
    .map(([host, pages]) => ({ host, pages, ready: readyAt(state, pages) }))
    .filter(({ ready }) => ready <= asked.now)
    .sort((a, b) => a.ready - b.ready || order(state, a.host) - order(state, b.host))
  const turns = hosts.map(({ host, pages }) => {
    return freePages(state, { pages, now: asked.now }).slice(0, roomOf(state, host, asked))
  })
  const rounds = Math.max(0, ...turns.map((pages) => pages.length))
  return Array.from({ length: rounds }, (_, round) =>
    turns.flatMap((pages) => pages[round] ?? []),
  ).flat()
}

/** Those of chosen pages that may be visited now, in the order given. */
export function withinRoom(
  state: MemoryState,
  pages: readonly KeptPage[],
  asked: Omit<Asked, 'collection' | 'host'>,
): KeptPage[] {
  const rooms = new Map<string, number>()
  return pages.filter(({ record: { host } }) => {
    const rests = (state.hosts.get(host)?.blockedUntil ?? asked.now) > asked.now
    const room = rooms.get(host) ?? (rests ? 0 : roomOf(state, host, asked))
    rooms.set(host, room - 1)
    return room > 0
  })
}

/** The first time at which something may be leased: tried at every time at which that can begin. */
export function nextDueTime(state: MemoryState, asked: Asked): UnixSeconds | null {
  const times = [
    asked.now,
    ...[...state.pages.values()].map(({ record }) => Number(record.due.at)),
    ...[...state.leases.values(), ...state.holds.values()].map(({ expires }) => expires),
    ...[...state.hosts.values()].map((host) => host?.blockedUntil ?? asked.now),
    ...state.served.values(),
  ]
  const later = times.filter((time) => time >= asked.now).sort((a, b) => a - b)
  return later.find((now) => duePages(state, { ...asked, now }).length > 0) ?? null
}

function pagesByHost(state: MemoryState, collection: string): Map<string, KeptPage[]> {
  const hosts = new Map<string, KeptPage[]>()
  for (const page of state.pages.values()) {
    if (page.record.collection !== collection || page.record.due.at === 'never') continue
    const pages = hosts.get(page.record.host)
    if (pages === undefined) hosts.set(page.record.host, [page])
    else pages.push(page)
  }
  return hosts
}

function readyAt(state: MemoryState, pages: readonly KeptPage[]): UnixSeconds {
  const { record } = pages[0]!
  return Math.max(
    Math.min(...pages.map(dueAt)),
    state.hosts.get(record.host)?.blockedUntil ?? -Infinity,
    state.served.get(hostKey(record)) ?? -Infinity,
  )
}

/** How many pages of a host may be leased now. */
function roomOf(
  state: MemoryState,
  host: string,
  { now, perHost, worker, ahead = perHost }: Omit<Asked, 'collection' | 'host'>,
): number {
  const holding = state.holding(host, now)
  const alone = holding.every((each) => each.worker === worker)
  return alone ? Math.max(0, ahead - holding.length) : 0
}

function freePages(
  state: MemoryState,
  { pages, now }: { readonly pages: readonly KeptPage[]; readonly now: UnixSeconds },
): KeptPage[] {
  return pages
    .filter(
      (page) => dueAt(page) <= now && !((state.leases.get(page.number)?.expires ?? now) > now),
    )
    .sort((a, b) => dueAt(a) - dueAt(b) || a.number - b.number)
}

/** Hosts in the order they were first met. */
function order(state: MemoryState, host: string): number {
  return [...state.hosts.keys()].indexOf(host)
}

function dueAt(page: KeptPage): number {
  return Number(page.record.due.at)
}
