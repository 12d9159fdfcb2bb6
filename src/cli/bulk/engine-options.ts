import type { FlagsOf, OptionLine } from '../command.js'
import { parseCount, parseSize } from '../text/numbers.js'
import type { EngineSettings } from './engine.js'

/** What every command with an engine takes for it. */
export const engineOptions = [
  ['--memory <size>', 'of the engine, DuckDB, such as 2GB (default: half of the machine)'],
  ['--threads <count>', 'of the engine (default: one a processor)'],
  ['--spill <folder>', 'where the engine puts what does not fit into memory'],
] as const satisfies readonly OptionLine[]

export function engineSettings({
  memory,
  threads,
  spill,
}: FlagsOf<typeof engineOptions>): EngineSettings {
  return {
    memory: memory === undefined ? undefined : parseSize(memory, '--memory'),
    threads:
      threads === undefined
        ? undefined
        : parseCount(threads, { option: '--threads', from: 1, to: 1024 }),
    spill,
  }
}
