import { EnvironmentError } from '../../model/index.js'
import { type PackedContent, unpackContent } from '../packed-content.js'
import { damagedText } from './database-fault.js'

/** A content of the file at `path`, unpacked; SQLite's own check does not see into it. */
export async function storedContent(packed: PackedContent, path: string): Promise<Uint8Array> {
  try {
    return await unpackContent(packed)
  } catch (cause) {
    throw new EnvironmentError(
      'store-damaged',
      `${damagedText(path)} (a copy of a page cannot be unpacked)`,
      { cause },
    )
  }
}
