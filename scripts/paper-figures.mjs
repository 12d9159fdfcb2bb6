import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Keeps the figures that the dashboard shows of each paper, from a quick run:
 *
 *   node scripts/paper-figures.mjs
 *
 * Writes papers/NAME/figures/*.svg, and captions.json beside them. A full run
 * draws the same figures with less noise: `revisit reproduce --out FOLDER`.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const shown = {
  'grimes-ford': ['figure-1', 'equation-1', 'figure-4', 'figure-6', 'figure-7', 'freshness'],
  hattab: ['figure-2', 'figure-5', 'figure-6'],
  li: ['figure-5a', 'figure-5b', 'figure-6a', 'figure-7b', 'figure-12', 'figure-15a'],
  'malcolm-armitage': ['figure-1a', 'figure-1b', 'figure-1c'],
  singh: ['figure-1a', 'figure-2', 'table-2', 'table-3'],
}

const out = mkdtempSync(join(tmpdir(), 'revisit-figures-'))
try {
  for (const paper of quickRun().papers) keep(paper)
} finally {
  rmSync(out, { recursive: true, force: true })
}

function quickRun() {
  const main = join(root, 'dist', 'cli', 'main.js')
  const done = spawnSync(process.execPath, [main, 'reproduce', '--quick', '--json', '--out', out], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (done.status !== 0) throw new Error(`the run ended with exit code ${done.status}`)
  return JSON.parse(done.stdout)
}

function keep({ name, figures }) {
  const folder = join(root, 'papers', name, 'figures')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const chosen = figures.filter(({ file }) => shown[name].includes(file.replace('.svg', '')))
  for (const { file } of chosen) copyFileSync(join(out, name, file), join(folder, file))
  const captions = chosen.map(({ file, title, caption }) => ({ file, title, caption }))
  writeFileSync(join(folder, 'captions.json'), `${JSON.stringify(captions, null, 2)}\n`)
  console.log(`${name}: ${chosen.length} figures`)
}
