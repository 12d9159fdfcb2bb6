import { Worker } from 'node:worker_threads'
import type { Paper, PaperResult } from '../../lab/report/paper.js'
import { EnvironmentError } from '../../model/errors.js'
import type { PaperLibrary, PapersRun } from '../environment.js'
import type { PaperJob, PaperMessage } from './paper-worker.js'

/**
 * The papers of dist/papers, each run on a worker thread of its own. They use
 * the package by its public names, so they are compiled after it and found by
 * their place beside it.
 */
export async function paperLibrary(index: URL): Promise<PaperLibrary> {
  const { papers } = (await import(index.href).catch((cause) => {
    throw new EnvironmentError('no-papers', 'the papers are not built; run npm run build', {
      cause,
    })
  })) as { papers: readonly Paper[] }
  return {
    papers: papers.map(({ name, published }) => ({ name, published })),
    run: (run) => runOnThreads(index, run),
  }
}

/** Threads take the next paper of the list as they come free. */
async function runOnThreads(index: URL, run: PapersRun): Promise<Map<string, PaperResult>> {
  const waiting = [...run.names]
  const results = new Map<string, PaperResult>()
  const thread = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { quick, seed, histories } = run
      results.set(name, await runPaper({ index: index.href, name, quick, seed, histories }, run))
    }
  }
  await Promise.all(Array.from({ length: run.threads }, thread))
  return results
}

function runPaper(job: PaperJob, { progress }: PapersRun): Promise<PaperResult> {
  const worker = new Worker(new URL('./paper-worker.js', import.meta.url), { workerData: job })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: PaperMessage) => {
      if ('result' in message) resolve(message.result)
      else progress(job.name, message.share)
    })
    worker.once('error', (error) =>
      reject(new Error(`${job.name}: ${error.message}`, { cause: error })),
    )
    worker.once('exit', () => reject(new Error(`${job.name} ended without a result`)))
  })
}
