import type { UnixSeconds } from '../../../src/model/units.js'
import type { HistoryAnswer } from '../../../src/server/pages/visits.js'
import { historyIn } from '../../api/history.js'
import { request } from '../../api/request.js'
import { useLoad } from '../../app/use-load.js'
import type { Truth } from '../../lab/lab-run.js'

type RecordTruth = Extract<Truth, { kind: 'record' }>

/** The changes that were seen of a page, as a truth to try policies on. */
export function useRecord(id: string | undefined): { truth?: RecordTruth; error?: string } {
  const loaded = useLoad(`record ${id}`, async (signal) => {
    if (id === undefined) return null
    const [page, history] = await Promise.all([
      request('GET pages/:id', { params: { id }, signal }),
      request('GET pages/:id/history', { params: { id }, signal }),
    ])
    return { name: page.url, history }
  })
  if (loaded.error !== undefined) return { error: loaded.error.message }
  if (loaded.data === undefined || loaded.data === null) return {}
  const { name, history } = loaded.data
  return recordOf(name, history)
}

function recordOf(name: string, answer: HistoryAnswer): { truth?: RecordTruth; error?: string } {
  const history = historyIn(answer)
  const { observations } = history ?? { observations: [] }
  const changed = observations.filter((each) => each.changed)
  if (history === null || changed.length < 2)
    return { error: 'This page was not seen to change twice yet: there is nothing to replay.' }
  const times: UnixSeconds[] = [history.start.at]
  for (const { at, gap, contentAge, unchangedFor = 0 } of changed) {
    const changedAt = contentAge === undefined ? at - (gap - unchangedFor) / 2 : at - contentAge
    const time = Math.min(at, Math.max(at - gap, changedAt))
    if (time > times[times.length - 1]!) times.push(time)
  }
  return { truth: { kind: 'record', name, times, end: observations[observations.length - 1]!.at } }
}
