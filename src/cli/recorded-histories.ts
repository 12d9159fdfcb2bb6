import { join } from 'node:path'
import { plainBytes } from '../formats/bytes/gunzip.js'
import { readRecordedChanges } from '../formats/change-times/recorded-changes.js'
import { EnvironmentError, InputError } from '../model/errors.js'
import type { RecordedChanges } from '../model/history.js'
import type { Environment } from './environment.js'

/** Text that a program can hold in one piece; about 20 million changes. */
const mostText = 2 ** 28

/** The recorded changes of the two files; a fault names its file and line. */
export async function readHistories(
  environment: Environment,
  { histories, objects }: { readonly histories: string; readonly objects: string | undefined },
): Promise<RecordedChanges[]> {
  const times = await textOf(environment, histories)
  const described = objects === undefined ? undefined : await textOf(environment, objects)
  const found = inFile(histories, () => readRecordedChanges({ times }))
  if (described === undefined) return found
  const all = inFile(objects!, () => readRecordedChanges({ times, objects: described }))
  tellStrangers(environment, { found, all })
  return all
}

async function textOf(environment: Environment, path: string): Promise<string> {
  const { chunks } = await environment.open(path)
  const decoder = new TextDecoder('utf-8')
  const parts: string[] = []
  let length = 0
  for await (const chunk of plainBytes(chunks)) {
    const text = decoder.decode(chunk, { stream: true })
    length += text.length
    if (length > mostText)
      throw new InputError('too-large', `${path} has more than 256 MB of text; cut it into parts`)
    parts.push(text)
  }
  return parts.join('') + decoder.decode()
}

function inFile<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.code, `${path}, ${error.message}`, { cause: error })
  }
}

/** Changes of pages that the objects do not name would vanish in silence. */
function tellStrangers(
  { err }: Environment,
  { found, all }: { found: readonly RecordedChanges[]; all: readonly RecordedChanges[] },
): void {
  const known = new Set(all.map((each) => each.id))
  const strangers = found.filter((each) => !known.has(each.id))
  if (strangers.length === 0) return
  err.write(
    `revisit: ${strangers.length} pages of the histories are not among the objects and are left out, such as ${strangers[0]!.id}\n`,
  )
}

/**
 * The files that were named, or else those of the first folder that has them;
 * null where none does. Files that were named and cannot be read are an error.
 */
export async function realHistories(
  environment: Environment,
  { histories, objects }: { histories: string | undefined; objects: string | undefined },
): Promise<readonly RecordedChanges[] | null> {
  if (histories !== undefined) return readHistories(environment, { histories, objects })
  for (const folder of environment.historyFolders) {
    const found = await readHistories(environment, {
      histories: join(folder, 'updates.csv.gz'),
      objects: join(folder, 'objects.csv'),
    }).catch((error) => {
      if (error instanceof EnvironmentError) return null
      throw error
    })
    if (found !== null) return found
  }
  return null
}
