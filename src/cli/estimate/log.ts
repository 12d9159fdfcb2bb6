import {
  type Problems,
  type ReadReport,
  readParquet,
  readVisits,
  type TakeVisit,
} from '../../formats/index.js'
import { InputError, OptionError } from '../../model/index.js'
import type { Source, World } from '../world.js'
import type { EstimateSettings } from './settings.js'

export interface LogReading {
  /** A path, or `-` or nothing for what is piped in. */
  readonly file: string | undefined
  readonly take: TakeVisit
  readonly settings: EstimateSettings
  readonly problems: Problems
}

/** Reads the visits of a log, whatever its format, and shows how far it is. */
export async function logOf(world: World, reading: LogReading): Promise<ReadReport> {
  const { file, settings } = reading
  const path = file === undefined || file === '-' ? undefined : file
  const source = path === undefined ? piped(world) : await world.open(path)
  if (settings.format === 'parquet' && path !== undefined) return parquet(world, { reading, path })
  try {
    return await streamed(world, { reading, source })
  } catch (error) {
    const isParquet = error instanceof InputError && error.code === 'parquet-stream'
    if (!isParquet || path === undefined) throw error
    return parquet(world, { reading, path })
  }
}

function piped(world: World): Source {
  if (world.input !== undefined) return world.input
  throw new OptionError(
    'no-input',
    'name the log to read, or pipe it in; see revisit estimate --help',
  )
}

async function streamed(
  world: World,
  { reading, source }: { reading: LogReading; source: Source },
): Promise<ReadReport> {
  const progress = world.progress({
    label: 'reading',
    total: source.size,
    writes: reading.settings.sorted,
  })
  const pause = async () => {
    progress.at(source.bytesRead())
    await world.out.drained()
  }
  const { settings, problems, take } = reading
  try {
    return await readVisits(source.chunks, take, { ...settings, problems, pause })
  } finally {
    progress.stop()
  }
}

function parquet(
  { loadDuckDb, out }: World,
  { reading, path }: { reading: LogReading; path: string },
): Promise<ReadReport> {
  const { settings, problems, take } = reading
  return readParquet(path, take, { ...settings, problems, loadDuckDb, pause: () => out.drained() })
}
