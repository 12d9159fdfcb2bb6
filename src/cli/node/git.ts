import { spawn } from 'node:child_process'
import { EnvironmentError } from '../../model/errors.js'

/** Of what git says on standard error, so much is kept. */
const mostWords = 4_000

/**
 * What the `git` program writes, as it writes it. Never through a shell; what
 * a hook or another git left in the environment does not count, and git asks
 * nobody. Fails with a `GitFault` where git ends with an error.
 */
export async function* runGit(args: readonly string[]): AsyncGenerator<Uint8Array> {
  const child = spawn('git', ['--no-pager', '--no-optional-locks', ...args], {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (words.length < mostWords) words += text
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => reject(startFault(cause)))
    child.once('close', resolve)
  })
  // It is waited for below; until then a failure to start is nobody's.
  ended.catch(() => {})
  try {
    yield* child.stdout
    const code = await ended
    if (code !== 0) throw new GitFault(words.trim().split('\n').at(-1) ?? '', code)
  } finally {
    if (child.exitCode === null) child.kill()
  }
}

/** Git ended with an error; its message is what git said last. */
class GitFault extends EnvironmentError {
  readonly exitCode: number | null

  constructor(words: string, exitCode: number | null) {
    super('git-failed', words.replace(/^fatal: /, '') || `git ended with exit code ${exitCode}`)
    this.exitCode = exitCode
  }
}

function startFault(cause: NodeJS.ErrnoException): EnvironmentError {
  const why = cause.code === 'ENOENT' ? 'there is no git on the PATH; install it' : cause.message
  return new EnvironmentError('no-git', `cannot run git: ${why}`, { cause })
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
