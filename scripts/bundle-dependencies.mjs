import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Puts the dependencies that are made of hundreds of small modules into a few files of dist/bundled/, and has
 * the compiled modules import those. Node 20 takes about half a millisecond a module: kysely alone is 262 of
 * them, a fifth of a second in every command and every thread that opens a store.
 *
 * What is bundled is fixed by the lock file, so the files are kept in node_modules and made again only when
 * the lock file or this script changes. Types are taken from the packages, which stay dependencies.
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
  const folders = new Set()
  await build({
    ...{ root, configFile: false, logLevel: 'warn', publicDir: false },
    ssr: { noExternal: true },
    plugins: [{ name: 'folders', generateBundle: (_, made) => gatherFolders(made, folders) }],
    build: {
      ...{ ssr: true, outDir: kept, emptyOutDir: true, minify: false, target: 'node20' },
      rolldownOptions: {
        input: Object.fromEntries(bundled.map((name) => [fileOf(name).slice(0, -3), name])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
      },
    },
  })
  writeFileSync(
    join(kept, 'LICENSES.txt'),
    `${licences(folders).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
  )
}

/** Their licences ask to go where the code goes. */
function licences(folders) {
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...texts].join('\n\n')
  })
}

function gatherFolders(made, folders) {
  const ids = Object.values(made).flatMap(({ moduleIds = [] }) => moduleIds)
  for (const id of ids) {
    const [folder] = id.match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.slice(1) ?? []
    if (folder !== undefined) folders.add(folder)
  }
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
