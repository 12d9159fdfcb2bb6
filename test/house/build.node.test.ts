import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'

const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))

/** A project with the real build script, and nothing in it that takes time. */
function smallProject() {
  const root = tempFolder()
  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    // From before any build.
    utimesSync(join(root, path), 1e9, 1e9)
  }
  for (const config of ['', '.build', '.papers']) write(`tsconfig${config}.json`, '{}')
  write('package-lock.json', '{}')
  write('papers/one.json', '{}')
  write('src/frontier/urlfrontier.proto')
  write('node_modules/typescript/bin/tsc')
  write('scripts/build-dashboard.mjs', 'export async function buildDashboard() {}')
  const bundle = `import { mkdirSync, writeFileSync } from 'node:fs'
    export async function bundleDependencies(dist) {
      mkdirSync(dist + '/bundled')
    }`
  write('scripts/bundle-dependencies.mjs', bundle)
  write('scripts/licences.mjs')
  cpSync(script, join(root, 'scripts', 'build.mjs'))
  for (const folder of ['src', 'src/frontier', 'papers']) utimesSync(join(root, folder), 1e9, 1e9)
  const build = () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }
  return { root, build }
}

it('bundles dependencies anew where the lock file alone has changed', () => {
  const { root, build } = smallProject()
  const bundled = join(root, 'dist', 'bundled')
  build()
  rmSync(bundled, { recursive: true })
  build()
  expect(existsSync(bundled)).toBe(false)
  const soon = Date.now() / 1000 + 10
  utimesSync(join(root, 'package-lock.json'), soon, soon)
  build()
  expect(existsSync(bundled)).toBe(true)
})
