import type { FlagsOf, OptionLine } from '../command.js'
import { count, parseSize } from '../text/numbers.js'
import type { EngineSettings } from './engine.js'

/** What every command with an engine takes for it. */
export const engineOptions = [
  [
    '--memory <size>',
    'of the engine, DuckDB, such as 2GB (default: half of the machine)',
    parseSize,
  ],
  ['--threads <count>', 'of the engine (default: one a processor)', count(1, 1024)],
  ['--spill <folder>', 'where the engine puts what does not fit into memory'],
] as const satisfies readonly OptionLine[]

export function engineSettings({
  memory,
  threads,
  spill,
}: FlagsOf<typeof engineOptions>): EngineSettings {
  return { memory, threads, spill }
}
