import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { shrinkwrap } from '../../scripts/shrinkwrap.mjs'
import { tempFolder } from '../fixtures/temp-folder.js'

/** npm's own rules; it comes with the packages that test. */
const { satisfies } = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean
}
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = JSON.parse(read('package-lock.json'))

interface Entry {
  readonly version: string
  readonly dev?: boolean
  readonly engines?: { readonly node?: string }
}

describe('the package', () => {
  it('holds the lock of all that it needs, and leaves none behind', () => {
    const folder = tempFolder()
    const npm = ['pack', '--ignore-scripts=false', '--pack-destination', folder]
    execFileSync('npm', npm, { cwd: root, stdio: 'pipe' })
    const [file] = readdirSync(folder)
    const tar = (...args: string[]) =>
      execFileSync('tar', args, { cwd: folder, maxBuffer: 1 << 26 }).toString()
    const names = tar('tzf', file!).split('\n')
    const own = ['dist/cli/main.js', 'README.md', 'LICENSE', 'SECURITY.md', 'package.json']
    for (const name of own) expect(names).toContain(`package/${name}`)
    expect(names.filter((name) => /^package\/(src|test|bench|\.)/.test(name))).toEqual([])
    const held = JSON.parse(tar('xzOf', file!, 'package/npm-shrinkwrap.json'))
    expect(held).toEqual(JSON.parse(JSON.stringify(shrinkwrap(lock))))
    // Of packages whose code is among our own files; those of the dashboard come with no dependency.
    const licences = (folder: string) =>
      tar('xzOf', file!, `package/dist/${folder}/LICENSES.txt`).split(`\n${'-'.repeat(80)}\n`)
    for (const each of [...licences('bundled'), ...licences('dashboard')])
      expect(each).toMatch(/copyright/i)
    expect(licences('bundled').join()).toMatch(/^kysely [\d.]+ \(MIT\)$/m)
    for (const name of ['preact', 'uplot'])
      expect(licences('dashboard').join()).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
    // Beside package-lock.json it would be what `npm ci` reads.
    expect(existsSync(join(root, 'npm-shrinkwrap.json'))).toBe(false)
  }, 120_000)

  it('locks what is needed to run, by version and digest, and nothing of where it came from', () => {
    const { packages } = shrinkwrap(lock) as { packages: Record<string, Entry> }
    const { '': own, ...others } = packages
    expect(own).not.toHaveProperty('devDependencies')
    expect(Object.keys(others).length).toBeGreaterThan(100)
    expect(Object.values(others).filter(({ dev }) => dev)).toEqual([])
    expect(JSON.stringify(packages)).not.toMatch(
      /resolved|https?:\/\/(registry|[^"]*npm)[^"]*\.tgz/,
    )
    for (const [path, entry] of Object.entries(others)) {
      expect(entry, path).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) })
      expect(entry.version, path).toBe(lock.packages[path].version)
    }
    const direct = JSON.parse(read('package.json')).dependencies as object
    for (const name of Object.keys(direct)) expect(others).toHaveProperty([`node_modules/${name}`])
  })

  it('needs no newer Node than it says', () => {
    const { packages } = shrinkwrap(lock) as { packages: Record<string, Entry> }
    const wanting = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node !== undefined && !satisfies('20.19.0', engines.node),
    )
    expect(wanting.map(([path]) => path)).toEqual([])
  })
})

describe('the image', () => {
  it('is built by the lock file, from what is there, without what is left out', () => {
    const file = read('deploy/Containerfile')
    expect(file).toMatch(/npm ci --omit=dev/)
    expect(file).not.toMatch(/npm (i|install) /)
    const ignored = read('.containerignore').split('\n')
    for (const name of ['.git', 'node_modules', 'dist', '*.db']) expect(ignored).toContain(name)
    // Docker knows no .containerignore, but one of this name.
    expect(read('deploy/Containerfile.dockerignore')).toBe(read('.containerignore'))
    const copied = [...file.matchAll(/COPY --from=build ((?:\/build\/\S+ )+)/g)].flatMap(
      ([, all]) => all!.trim().split(' '),
    )
    expect(copied).toContain('/build/dist')
    for (const path of copied)
      expect(existsSync(join(root, path.slice('/build/'.length)))).toBe(true)
  })
})
