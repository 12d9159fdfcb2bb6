import type { FileStore, Outbox } from '../../model/index.js'

/** Calls of a store that go to its thread as they are. */
export const storeCalls = [
  'addPages',
  'changePage',
  'removePages',
  'getPage',
  'listPages',
  'countPages',
  'collections',
  'leasePages',
  'leasingWorkers',
  'releaseWorker',
  'nextDue',
  'visitsOf',
  'listVisits',
  'visitLog',
  'lastVisitNumber',
  'versionsOf',
  'snapshot',
  'prune',
  'listHosts',
  'getHost',
  'putHosts',
  'holdHost',
  'releaseHost',
  'getSetting',
  'putSetting',
  'swapSetting',
  'addToDay',
  'settings',
  'health',
  'totals',
  'check',
  'backup',
  'timesAhead',
  'setBack',
] as const satisfies readonly (keyof FileStore)[]

/** The same of its outbox. */
export const outboxCalls = [
  'addChannel',
  'changeChannel',
  'removeChannel',
  'channel',
  'channels',
  'holdChannel',
  'letGo',
  'advance',
  'countPending',
  'sendable',
  'pending',
  'noteDelivered',
  'noteFailed',
  'giveUp',
  'deliveries',
  'forgetEnded',
] as const satisfies readonly (keyof Outbox)[]

/** An object whose functions make the calls. */
export function calls<Name extends string, T extends Record<Name, unknown>>(
  names: readonly Name[],
  call: (name: Name, args: readonly unknown[]) => Promise<unknown>,
): Pick<T, Name> {
  const made = names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)])
  return Object.fromEntries(made) as Pick<T, Name>
}
