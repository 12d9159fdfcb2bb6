import { exitCode } from '../exit-code.js'
import type { World } from '../world.js'
import { bestRow, samplingRows } from './rows.js'
import { type SamplingFlags, samplingSettings } from './settings.js'
import { writeSampling } from './text.js'

/** `revisit sampling`: how long and how often to sample. Gives the exit code. */
export function samplingCommand({ out }: World, flags: SamplingFlags): number {
  const settings = samplingSettings(flags)
  const rows = samplingRows(settings)
  const best = bestRow(rows, settings)
  if (!settings.json) writeSampling(out, { settings, rows, best })
  else {
    const { changePeriod, told, level = null } = settings
    out.write(`${JSON.stringify({ changePeriod, told, level, rows, best: best ?? null })}\n`)
  }
  return exitCode.done
}
