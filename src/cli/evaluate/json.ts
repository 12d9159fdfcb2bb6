import { DAY } from '../../model/index.js'
import type { EvaluatedPart } from './run.js'
import { type EvaluateSettings, warmUp } from './settings.js'

/** The evaluation as one JSON text: means over the seeds, with their spread, in all and by source. */
export function evaluateJson(parts: readonly EvaluatedPart[], settings: EvaluateSettings): string {
  const { length, seeds, lastModified } = settings
  const found = parts.map(({ pages, size, rows }) => ({ which: pages, ...size, rows }))
  const about = { days: length / DAY, seeds, lastModified, lateAfter: warmUp }
  return `${JSON.stringify({ ...about, parts: found }, null, 2)}\n`
}
