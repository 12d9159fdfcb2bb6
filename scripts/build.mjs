/** Compiles src/ into dist/, only when a source is newer than the last build. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

if (!existsSync(stamp) || newest(join(root, 'src')) > statSync(stamp).mtimeMs) build()

function newest(folder) {
  const own = [folder, join(root, 'tsconfig.json'), join(root, 'tsconfig.build.json')]
  const all = readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  return Math.max(...[...own, ...all].map((path) => statSync(path).mtimeMs))
}

function build() {
  rmSync(dist, { recursive: true, force: true })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const done = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  })
  if (done.status !== 0) process.exit(1)
  const bin = join(dist, 'cli', 'main.js')
  if (existsSync(bin)) chmodSync(bin, 0o755)
  writeFileSync(stamp, '')
}
