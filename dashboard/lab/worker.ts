import { RevisitError } from '../../src/model/errors.js'
import type { LabMessage, LabPoint, LabRun } from './lab-run.js'
import { scorePolicy } from './score-policy.js'
import { stageOf } from './truth-process.js'
import { convergence, watchedHistory } from './watch-page.js'

/** Points sent at once: few enough that the picture grows before the eye. */
const perMessage = 6

/** Runs an experiment off the page's own thread, and tells of it as it goes. */
self.addEventListener('message', ({ data }: MessageEvent<LabRun>) => {
  try {
    perform(data)
  } catch (thrown) {
    if (!(thrown instanceof RevisitError)) throw thrown
    tell({ kind: 'failed', message: thrown.message })
  }
})

function perform(run: LabRun): void {
  const began = performance.now()
  const stage = stageOf(run)
  tell({
    kind: 'truth',
    changePeriod: stage.process.changePeriod,
    summary: stage.process.summary,
  })
  let visits = 0
  let points: LabPoint[] = []
  for (const point of convergence(run, watchedHistory(run, stage))) {
    points.push(point)
    if (points.length < perMessage) continue
    tell({ kind: 'points', points })
    points = []
  }
  tell({ kind: 'points', points })
  for (const [i, policy] of run.policies.entries()) {
    const row = scorePolicy(policy, run, stage)
    visits += (1 + row.visitsPerDay * ((stage.until - stage.from) / 86_400)) * stage.pages
    tell({ kind: 'row', row, share: (i + 1) / run.policies.length })
  }
  tell({ kind: 'done', milliseconds: performance.now() - began, visits: Math.round(visits) })
}

function tell(message: LabMessage): void {
  self.postMessage(message)
}
