import { parentPort, workerData } from 'node:worker_threads'
import type { Paper, PaperResult } from '../../lab/report/paper.js'
import type { RecordedChanges } from '../../model/history.js'

/** One paper to run; `index` is the address of the module that lists the papers. */
export interface PaperJob {
  readonly index: string
  readonly name: string
  readonly quick: boolean
  readonly seed: number
  readonly histories: readonly RecordedChanges[] | null
}

export type PaperMessage = { readonly share: number } | { readonly result: PaperResult }

const { index, name, quick, seed, histories } = workerData as PaperJob
const { papers } = (await import(index)) as { papers: readonly Paper[] }
const paper = papers.find((each) => each.name === name)!
const tell = (message: PaperMessage) => parentPort?.postMessage(message)
const result = await paper.run({
  quick,
  seed,
  histories,
  progress: (share) => tell({ share }),
})
tell({ share: 1 })
tell({ result })
