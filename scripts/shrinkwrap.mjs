import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * The lock for those who install the package: `npm install -g` knows no
 * package-lock.json, but applies an npm-shrinkwrap.json that is in the package.
 * `npm pack` and `npm publish` write it before (prepack) and remove it after
 * (postpack): beside package-lock.json it would stand in the way of `npm ci`.
 *
 *   node scripts/shrinkwrap.mjs write | remove
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const written = join(root, 'npm-shrinkwrap.json')

/** What a package-lock.json says of packages that are needed to run, and nothing of where they came from. */
export function shrinkwrap(lock) {
  const [own, ...others] = Object.entries(lock.packages)
  const { devDependencies: _, ...rest } = own[1]
  const needed = others.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
  const packages = needed.map(([path, { resolved: _, ...entry }]) => [path, entry])
  return { ...lock, packages: Object.fromEntries([[own[0], rest], ...packages]) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'write') {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    writeFileSync(written, `${JSON.stringify(shrinkwrap(lock), null, 2)}\n`)
  } else if (process.argv[2] === 'remove') rmSync(written, { force: true })
  else {
    console.error('say write or remove')
    process.exit(2)
  }
}
