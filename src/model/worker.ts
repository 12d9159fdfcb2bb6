import { DAY, type Seconds, type UnixSeconds } from './units.js'

/** A process at work on a store, as it last reported. */
export interface WorkerRecord {
  /** No other process has it. */
  readonly name: string
  /** What it was started as, such as `run`, `serve` or `worker`. */
  readonly role: string
  /** Of Revisit. */
  readonly version: string
  /** When it first reported. */
  readonly since: UnixSeconds
  /** Its last sign of life. */
  readonly lastSign: UnixSeconds
}

/** A worker, and how many pages it holds now. */
export interface WorkerSummary extends WorkerRecord {
  readonly leases: number
}

/** What a worker reports again and again while it runs. */
export interface WorkerSign extends Pick<WorkerRecord, 'name' | 'role' | 'version'> {
  readonly now: UnixSeconds
}

/**
 * Work that one process at a time does for all, such as the scan of a
 * collection. It is held for a while and renewed; when the holder is gone,
 * another takes it over once the hold has run out.
 */
export interface ChoreHold {
  readonly name: string
  readonly worker: string
  /** When this worker took it; a renewal does not change it. */
  readonly since: UnixSeconds
  readonly expiresAt: UnixSeconds
}

/** Workers without a sign of life for so long are forgotten. */
export const forgetWorkersAfter: Seconds = DAY

/** Whether a worker may have a chore: nobody has it, its hold has run out, or it is the worker's own. */
export function mayHold(
  held: Pick<ChoreHold, 'worker' | 'expiresAt'> | undefined,
  { worker, now }: { readonly worker: string; readonly now: UnixSeconds },
): boolean {
  return held === undefined || held.worker === worker || held.expiresAt <= now
}
