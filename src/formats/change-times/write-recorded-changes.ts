import { csvField } from '../visits/visit-rows.js'
import type { GitPage } from './git-histories.js'

/** The two tables that `readRecordedChanges` reads. */
export interface WrittenChanges {
  /** `object_id,unix_seconds`: of each page its start, then its changes. */
  readonly updates: string
  /** The pages: from when to when each was followed, and how often it was polled. */
  readonly objects: string
}

export function writeRecordedChanges(pages: readonly GitPage[]): WrittenChanges {
  const updates = ['object_id,unix_seconds']
  const objects = ['object_id,source,path,first,observed_until,n_updates,cadence_s,quantised']
  for (const { id, source, path, from, until, cadence, changes } of pages) {
    const written = csvField(id)
    updates.push(`${written},${from}`)
    for (const at of changes) updates.push(`${written},${at}`)
    const quantised = cadence > 0 ? 'yes' : 'no'
    objects.push(
      `${written},${csvField(source)},${csvField(path)},${from},${until},${changes.length},${cadence},${quantised}`,
    )
  }
  return { updates: `${updates.join('\n')}\n`, objects: `${objects.join('\n')}\n` }
}
