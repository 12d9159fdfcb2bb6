import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Builds dashboard/ into dist/dashboard, only when something that goes into it
 * has another hash than the last time. The result is kept in node_modules, so
 * that a dist/ made anew takes it from there.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const kept = join(root, 'node_modules', '.cache', 'revisit-dashboard')
const keptStamp = join(root, 'node_modules', '.cache', 'revisit-dashboard.hash')
const out = join(root, 'dist', 'dashboard')
const stamp = join(root, 'dist', '.dashboard')
/** All that the dashboard is made of: its own files, the rooms that run in a browser, the papers. */
const sources = ['dashboard', 'papers', 'package-lock.json'].concat(
  ['build-dashboard', 'licences'].map((script) => `scripts/${script}.mjs`),
  ['model', 'numeric', 'estimators', 'policies', 'planner', 'lab', 'formats'].map(
    (room) => `src/${room}`,
  ),
)

export async function buildDashboard() {
  const hash = hashOf(sources)
  if (sayIn(stamp) === hash && existsSync(join(out, 'index.html'))) return
  if (sayIn(keptStamp) !== hash || !existsSync(join(kept, 'index.html'))) {
    rmSync(keptStamp, { force: true })
    const [{ build }, { default: config }] = await Promise.all([
      import('vite'),
      import('../dashboard/vite.config.mjs'),
    ])
    await build({ ...config, build: { ...config.build, outDir: kept } })
    writeFileSync(keptStamp, hash)
  }
  rmSync(out, { recursive: true, force: true })
  cpSync(kept, out, { recursive: true })
  writeFileSync(stamp, hash)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesIn(path) {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath ?? each.path, each.name).slice(root.length + 1))
    .sort()
}

function sayIn(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
