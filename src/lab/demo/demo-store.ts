import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OptionError } from '../../model/errors.js'
import type { FileStore } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { openSqliteStore } from '../../store/sqlite/store.js'
import { demoOrigin } from '../demo-web/demo-web.js'

export const collection = 'demo'
/** Pages are known by their addresses: a demo that is taken up again must have the same ports. */
const keptPort = 7401
const settingName = 'demo'

/** What a kept demo must be taken up with. */
interface Kept {
  readonly seed: number
  readonly port: number
  /** The demo's time when it ended. */
  readonly until: UnixSeconds
  /** Whether its sites have names; those of 0.1 had none. */
  readonly named?: boolean
}

/** Which demo, and where it is kept. */
export interface PlaceOptions {
  readonly seed: number
  /** Where its store is kept; undefined: for this run only. */
  readonly folder?: string | undefined
  /** Of the first site; undefined where not set. */
  readonly port?: number | undefined
}

/** Where a demo's store is, and where in its time it begins. */
export interface DemoPlace {
  readonly store: FileStore
  readonly port: number
  /** Whether its sites have names. */
  readonly named: boolean
  readonly start: UnixSeconds
  /** Remembers where it ended, closes the store, and deletes it unless it is kept. */
  closeAt(until: UnixSeconds): Promise<void>
}

/** Opens the store of an earlier demo, or a new one in a folder that is deleted at the end. */
export async function openPlace({ folder, seed, port }: PlaceOptions): Promise<DemoPlace> {
  const path = folder ?? mkdtempSync(join(tmpdir(), 'revisit-demo-'))
  const forget = () => {
    if (folder === undefined) rmSync(path, { recursive: true, force: true })
  }
  try {
    const unsynced = folder === undefined
    const store = await openSqliteStore({ path: join(path, 'revisit.db'), unsynced })
    const kept = keptIn(await store.getSetting(collection, settingName))
    if (kept !== undefined) checkSame(kept, { seed, port, folder: path })
    const chosen = port ?? kept?.port ?? (folder === undefined ? 0 : keptPort)
    const named = kept === undefined || kept.named === true
    const closeAt = async (until: UnixSeconds) => {
      await store.putSetting(collection, settingName, { seed, port: chosen, until, named })
      await store.close()
      forget()
    }
    return { store, port: chosen, named, start: kept?.until ?? demoOrigin, closeAt }
  } catch (error) {
    forget()
    throw error
  }
}

function keptIn(value: Json | undefined): Kept | undefined {
  return value === undefined ? undefined : (value as unknown as Kept)
}

function checkSame(
  kept: Kept,
  { seed, port, folder }: { seed: number; port: number | undefined; folder: string },
): void {
  if (kept.seed === seed && (port === undefined || port === kept.port)) return
  throw new OptionError(
    'another-demo',
    `${folder} holds a demo with --seed ${kept.seed} --port ${kept.port}; start it with those, or name another folder`,
  )
}
