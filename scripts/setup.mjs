import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes a fresh clone ready: installs what the lock file names, then builds.
 *
 * `npm start` and `npm test` call this first, so each works alone on a clone
 * without node_modules; `--no-build` installs alone. It imports nothing but Node. The hash of the lock file
 * is kept in node_modules, so an unchanged clone skips the install.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const guard = 'REVISIT_SETUP_RUNNING'

if (process.env[guard] === undefined) {
  checkNode()
  install()
  // What runs from source alone needs no build: `npm run test:unit`.
  if (!process.argv.includes('--no-build'))
    run(
      process.execPath,
      [join(root, 'scripts', 'build.mjs')],
      'The build failed; see the messages above.',
    )
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Revisit needs Node 20.19 or newer; this is ${process.versions.node}.`)
}

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.revisit-lock-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.error('Installing dependencies (once; about a minute) ...')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  run(
    npm,
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    'npm ci failed: is the package registry reachable?',
  )
  writeFileSync(stamp, lock)
}

function run(command, args, message) {
  // What an install or a build prints goes to stderr: stdout belongs to the command that follows.
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, [guard]: '1' },
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) fail(message)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
