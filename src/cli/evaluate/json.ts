import { DAY } from '../../model/index.js'
import { sizeOf } from './part-words.js'
import type { EvaluatedPart } from './run.js'
import { type EvaluateSettings, warmUp } from './settings.js'

/** The evaluation as one JSON text. */
export function evaluateJson(parts: readonly EvaluatedPart[], settings: EvaluateSettings): string {
  const { length, seed, lastModified } = settings
  const found = parts.map(({ pages, collection, rows }) => ({
    which: pages,
    ...sizeOf(collection),
    rows,
  }))
  const about = { days: length / DAY, seed, lastModified, lateAfter: warmUp }
  return `${JSON.stringify({ ...about, parts: found }, null, 2)}\n`
}
