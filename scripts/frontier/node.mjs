import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A node of the frontier in a process of its own, once it has said where it listens. */
export async function startNode({ database, schedule = 'client', port = 0, args = [] }) {
  const child = spawn(
    process.execPath,
    [
      main,
      'frontier',
      ...['--database', database, '--schedule', schedule, '--grpc', `127.0.0.1:${port}`],
      ...['--no-http', ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-20_000)
  })
  const gone = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), gone])
  if (child.exitCode !== null || typeof first[0] !== 'string')
    throw new Error(`a frontier ended at its start:\n${said}`)
  return {
    address: first[0],
    port: Number(first[0].split(':').at(-1)),
    pid: child.pid,
    said: () => said,
    /** Without a word. */
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
