import { InputError } from '../../model/errors.js'
import type { RecordedChanges } from '../../model/history.js'
import { csvField, csvRecords } from '../csv-table.js'
import type { GitPage } from './git-histories.js'

/**
 * Reads recorded change histories: `object_id,unix_seconds`, sorted within
 * each object, and, beside it, `object_id,first,observed_until` with optional
 * `source` and `cadence_s`. Without a file of objects each object is its own
 * record: from its first time, which is then no change, to its last. Times
 * that do not ascend within an object are refused by line.
 */
export function readRecordedChanges(files: { times: string; objects?: string }): RecordedChanges[] {
  const times = timesByObject(files.times)
  if (files.objects === undefined) return [...times].map(([id, list]) => bare(id, list))
  const found: RecordedChanges[] = []
  for (const { line, get } of csvRecords(files.objects, {
    needed: ['object_id', 'first', 'observed_until'],
  })) {
    found.push(described({ line, get }, times.get(get('object_id')) ?? []))
  }
  return found
}

function timesByObject(text: string): Map<string, number[]> {
  const times = new Map<string, number[]>()
  for (const { line, get } of csvRecords(text, { needed: ['object_id', 'unix_seconds'] })) {
    const id = get('object_id')
    const at = number(get('unix_seconds'), { name: 'unix_seconds', line })
    const list = times.get(id) ?? []
    if (list.length === 0) times.set(id, list)
    const last = list.at(-1)
    if (last !== undefined && at <= last) throw notAscending({ id, at, last, line })
    list.push(at)
  }
  return times
}

function notAscending(about: { id: string; at: number; last: number; line: number }): InputError {
  const how =
    about.at === about.last ? 'the same time twice' : 'a time before the one that precedes it'
  return new InputError(
    'time-not-forward',
    `${about.id} has ${how} (${about.at} after ${about.last}); sort each object's times and leave out doubles`,
    { line: about.line },
  )
}

function bare(id: string, list: readonly number[]): RecordedChanges {
  return {
    id,
    source: 'all',
    from: list[0]!,
    until: list.at(-1)!,
    cadence: 0,
    changes: Float64Array.from(list.slice(1)),
  }
}

function described(
  { line, get }: { line: number; get(name: string): string },
  list: readonly number[],
): RecordedChanges {
  const from = number(get('first'), { name: 'first', line })
  const until = number(get('observed_until'), { name: 'observed_until', line })
  const id = get('object_id')
  if (until < from)
    throw new InputError('bad-record', `${id} ends (${until}) before it starts (${from})`, { line })
  const cadence =
    get('cadence_s') === '' ? 0 : number(get('cadence_s'), { name: 'cadence_s', line })
  if (cadence < 0) throw new InputError('bad-record', `${id} has a negative cadence_s`, { line })
  const changes = Float64Array.from(list.filter((at) => at > from && at <= until))
  return { id, source: get('source') || 'all', from, until, cadence, changes }
}

function number(text: string, { name, line }: { name: string; line: number }): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InputError('bad-number', `${name} is "${text}"; it must be a number of seconds`, {
    line,
  })
}

/** The two tables that `readRecordedChanges` reads. */
interface WrittenChanges {
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
