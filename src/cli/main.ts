import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment, Progress } from './environment.js'
import { DiskFiles, foundPath, loadModule, makeFolder, pipedInput } from './node/files.js'
import { runGit } from './node/git.js'
import { paperLibrary } from './node/paper-threads.js'
import { BarProgress } from './node/progress-bar.js'
import { askPerson, askSecret, onInterrupt, StreamOutput, TerminalScreen } from './node/terminal.js'
import { runProgram } from './program.js'

const noProgress: Progress = { at: () => {}, stop: () => {} }

/**
 * The only place that opens things: files, the clock, the standard streams.
 * Everything else is given what it needs.
 */
const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

const clock = () => Date.now() / 1000
const out = new StreamOutput(process.stdout)
const err = new StreamOutput(process.stderr)
const files = new DiskFiles({ piped: 0 })
const loadDuckDb = () => import('@duckdb/node-api' as string)
const environment: Environment = {
  version,
  now: clock,
  out,
  err,
  open: files.open,
  mayReplace: files.mayReplace,
  save: files.save,
  load: loadModule,
  git: runGit,
  makeFolder,
  papers: () => paperLibrary(new URL('../papers/index.js', import.meta.url)),
  historyFolders: [
    ...(process.env.REVISIT_SHARED ? [join(process.env.REVISIT_SHARED, 'traces')] : []),
    fileURLToPath(new URL('../../../shared/traces', import.meta.url)),
  ],
  crawler: async () =>
    (await import('./node/crawler-environment.js')).crawlerEnvironment(process, files),
  input: process.stdin.isTTY ? undefined : pipedInput(process.stdin),
  loadDuckDb,
  engine: async (settings) =>
    (await import('./node/duckdb-engine.js')).openEngine(loadDuckDb, settings),
  found: foundPath,
  seed: randomInt(2 ** 31),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askPerson : undefined,
  askSecret: process.stdin.isTTY && process.stderr.isTTY ? askSecret : undefined,
  screen: process.stdout.isTTY ? new TerminalScreen(process.stdout) : undefined,
  onInterrupt,
  progress: (task) => {
    const visible = process.stderr.isTTY && !(task.writes && process.stdout.isTTY)
    return visible && task.total !== undefined
      ? new BarProgress(task, { stream: process.stderr, clock })
      : noProgress
  },
}

// `revisit estimate ... | head`: whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runProgram(process.argv.slice(2), environment)
await out.flush()
if (process.env.REVISIT_STATS === '1') {
  err.write(`peak memory ${(peakMemory() / 1024).toFixed(0)} MB\n`)
}
await err.flush()

/** In KiB. What `resourceUsage` tells begins with the memory of whoever started this process. */
function peakMemory(): number {
  try {
    const [, own] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (own !== undefined) return Number(own)
  } catch {
    // A system without /proc.
  }
  return process.resourceUsage().maxRSS
}
