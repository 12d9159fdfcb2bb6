import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from './build-dashboard.mjs'
import { bundleDependencies } from './bundle-dependencies.mjs'

/** Compiles src/ and papers/ into dist/, and the dashboard, only when a source or the lock file changed since the last build. */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
/** Read by the frontier when it starts. */
const proto = join('src', 'frontier', 'urlfrontier.proto')
const configs = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.papers.json'].map((name) =>
  join(root, name),
)

if (!existsSync(stamp) || newest() > statSync(stamp).mtimeMs) await build()
await buildDashboard()

function newest() {
  const sources = ['src', 'papers'].flatMap((name) => [join(root, name), ...within(name)])
  for (const name of ['bundle-dependencies.mjs', 'licences.mjs'])
    sources.push(join(root, 'scripts', name))
  sources.push(join(root, 'package-lock.json'))
  return Math.max(...[...configs, ...sources].map((path) => statSync(path).mtimeMs))
}

function within(name) {
  return readdirSync(join(root, name), { recursive: true }).map((path) => join(root, name, path))
}

/** The papers use the package by its own name, so src/ is compiled before them. */
async function build() {
  rmSync(dist, { recursive: true, force: true })
  compile('tsconfig.build.json')
  compile('tsconfig.papers.json')
  cpSync(join(root, 'papers'), join(dist, 'papers'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.json'),
  })
  cpSync(join(root, proto), join(dist, 'frontier', 'urlfrontier.proto'))
  await bundleDependencies(dist)
  const bin = join(dist, 'cli', 'main.js')
  if (existsSync(bin)) chmodSync(bin, 0o755)
  writeFileSync(stamp, '')
}

function compile(config) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const done = spawnSync(process.execPath, [tsc, '-p', join(root, config)], {
    stdio: ['ignore', 2, 2],
  })
  if (done.status !== 0) process.exit(1)
}
