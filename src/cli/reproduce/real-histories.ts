import { join } from 'node:path'
import { plainBytes } from '../../formats/bytes/gunzip.js'
import { readRecordedChanges } from '../../formats/index.js'
import { EnvironmentError, type RecordedChanges } from '../../model/index.js'
import type { World } from '../world.js'

/** Where real histories were read from. */
export interface RealHistories {
  readonly changes: readonly RecordedChanges[]
  readonly from: string
}

/**
 * The files that were named, or else those of the first folder that has them;
 * null where none does. Files that were named and cannot be read are an error.
 */
export async function realHistories(
  world: World,
  named: { readonly histories: string | undefined; readonly objects: string | undefined },
): Promise<RealHistories | null> {
  const { histories: times, objects } = named
  if (times !== undefined) return read(world, { times, objects })
  for (const folder of world.historyFolders) {
    const files = { times: join(folder, 'updates.csv.gz'), objects: join(folder, 'objects.csv') }
    const found = await read(world, files).catch((error) => {
      if (error instanceof EnvironmentError) return null
      throw error
    })
    if (found !== null) return found
  }
  return null
}

async function read(
  world: World,
  files: { readonly times: string; readonly objects: string | undefined },
): Promise<RealHistories> {
  const times = await textOf(world, files.times)
  const objects = files.objects === undefined ? {} : { objects: await textOf(world, files.objects) }
  return { changes: readRecordedChanges({ times, ...objects }), from: files.times }
}

async function textOf(world: World, path: string): Promise<string> {
  const { chunks } = await world.open(path)
  const decoder = new TextDecoder()
  const parts: string[] = []
  for await (const bytes of plainBytes(chunks)) parts.push(decoder.decode(bytes, { stream: true }))
  return parts.join('') + decoder.decode()
}
