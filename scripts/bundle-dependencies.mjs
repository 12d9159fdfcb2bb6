import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licences } from './licences.mjs'

/**
 * Puts the dependencies that are made of hundreds of small modules into a few files of dist/bundled/, and has
 * the compiled modules import those. Node 20 takes about half a millisecond a module: kysely alone is 262 of
 * them, a fifth of a second in every command and every thread that opens a store.
 *
 * What is bundled is fixed by the lock file, so the files are kept in node_modules and made again only when
 * the lock file or these scripts change. Types are taken from the packages, which stay dependencies.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundled = ['kysely', 'htmlparser2', 'css-select', 'diff', 'linkedom', '@observablehq/plot']
const kept = join(root, 'node_modules', '.cache', 'revisit-bundled')
const stamp = join(kept, '.hash')
const fileOf = (name) => `${name.replace(/^@/, '').replaceAll('/', '-')}.js`

/** Makes `dist`/bundled and points the modules in `dist` to it. */
export async function bundleDependencies(dist) {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(fileURLToPath(new URL('licences.mjs', import.meta.url))))
    .digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    await bundle()
    writeFileSync(stamp, hash)
  }
  const to = join(dist, 'bundled')
  cpSync(kept, to, { recursive: true, filter: (path) => path !== stamp })
  for (const name of readdirSync(dist, { recursive: true }))
    if (name.endsWith('.js') && !name.startsWith('bundled')) point(join(dist, name), to)
}

async function bundle() {
  rmSync(kept, { recursive: true, force: true })
  const { build } = await import('vite')
  await build({
    ...{ root, configFile: false, logLevel: 'warn', publicDir: false },
    ssr: { noExternal: true },
    plugins: [licences()],
    build: {
      ...{ ssr: true, outDir: kept, emptyOutDir: true, minify: false, target: 'node20' },
      rolldownOptions: {
        input: Object.fromEntries(bundled.map((name) => [fileOf(name).slice(0, -3), name])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
      },
    },
  })
}

/** Imports as the compiler writes them: `from 'kysely';`. */
function point(file, to) {
  const text = readFileSync(file, 'utf8')
  const pointed = text.replace(
    /^((?:import|export)\b[^'"]*?\bfrom )'([^'.][^']*)'/gm,
    (all, head, name) => {
      if (!bundled.includes(name)) return all
      const path = relative(dirname(file), join(to, fileOf(name))).replaceAll('\\', '/')
      return `${head}'${path.startsWith('.') ? path : `./${path}`}'`
    },
  )
  if (pointed !== text) writeFileSync(file, pointed)
}
