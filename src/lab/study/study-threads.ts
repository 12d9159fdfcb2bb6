import { availableParallelism } from 'node:os'
import { OptionError } from '../../model/errors.js'
import { type Study, type StudySpec, studyOf } from './study.js'
import { type StudyResult, StudyTally, type StudyTallyState, studyResult } from './study-result.js'
import runShare, { type StudyShare } from './study-worker.js'

/** Refuses a number of threads that cannot be. */
function checkThreads(threads: number): void {
  if (Number.isInteger(threads) && threads >= 1 && threads <= 1024) return
  throw new OptionError('bad-threads', `threads is a whole number from 1 to 1024; got ${threads}`)
}

export interface RunStudiesOptions {
  /** As many as the machine has processors by default; 1 starts none beside the caller's. */
  readonly threads?: number
  /** Called as pages are done, with how many of all studies' pages are. */
  readonly onPages?: (done: number) => void
}

/** Small enough that the last thread does not work long alone. */
const sharesPerStudy = 64
const mostPagesPerShare = 2_000

/**
 * Runs studies on worker threads. The results are the same bytes whatever the
 * number of threads: each page has a random stream of its own, and tallies
 * merge without rounding. Specs are checked before any thread starts.
 */
export async function runStudies(
  specs: readonly StudySpec[],
  { threads = availableParallelism(), onPages }: RunStudiesOptions = {},
): Promise<StudyResult[]> {
  checkThreads(threads)
  const studies = specs.map((spec) => ({ spec, study: studyOf(spec), tally: new StudyTally() }))
  const shares = studies.flatMap((each) =>
    sharesOf(each.spec).map((share) => ({ share, tally: each.tally })),
  )
  let done = 0
  await onThreads(threads, async (run) => {
    const each = async ({ share, tally }: { share: StudyShare; tally: StudyTally }) => {
      tally.merge(new StudyTally(await run(share)))
      done += share.pages.to - share.pages.from
      onPages?.(done)
    }
    if (threads > 1) await Promise.all(shares.map(each))
    else for (const share of shares) await each(share)
  })
  return studies.map(({ study, tally }: { study: Study; tally: StudyTally }) =>
    studyResult(study, tally),
  )
}

type Run = (share: StudyShare) => StudyTallyState | Promise<StudyTallyState>

async function onThreads(threads: number, work: (run: Run) => Promise<void>): Promise<void> {
  if (threads === 1) return work(runShare)
  const { Piscina } = await import('piscina')
  const pool = new Piscina<StudyShare, StudyTallyState>({
    filename: new URL('./study-worker.js', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  })
  try {
    await work((share) => pool.run(share))
  } finally {
    await pool.destroy()
  }
}

function sharesOf(spec: StudySpec): StudyShare[] {
  const size = Math.min(mostPagesPerShare, Math.max(1, Math.ceil(spec.pages / sharesPerStudy)))
  const shares: StudyShare[] = []
  for (let from = 0; from < spec.pages; from += size)
    shares.push({ spec, pages: { from, to: Math.min(spec.pages, from + size) } })
  return shares
}
